import { statfsSync } from 'node:fs';
import { totalmem } from 'node:os';

const MEGABYTE = 1024 * 1024;
const MIN_SHARED_BUFFERS_MB = 64;
const MAX_SHARED_BUFFERS_MB = 1024;
const MIN_SHARED_MEMORY_MB = 256;

export const SOCKET_PORT = 5432;

/** Given on the command line, so they hold for data that an earlier version created too. */
export function serverSettings(socketFolder: string, durable: boolean): string[] {
  const memory = Math.floor(totalmem() / MEGABYTE);
  const sharedBuffers = Math.min(
    MAX_SHARED_BUFFERS_MB,
    Math.max(MIN_SHARED_BUFFERS_MB, Math.floor(memory / 8)),
  );
  const settings: Record<string, string> = {
    listen_addresses: '',
    unix_socket_directories: socketFolder,
    unix_socket_permissions: '0700',
    port: String(SOCKET_PORT),
    max_connections: '200',
    shared_buffers: `${sharedBuffers}MB`,
    effective_cache_size: `${Math.max(MIN_SHARED_BUFFERS_MB, Math.floor(memory / 2))}MB`,
    work_mem: '16MB',
    maintenance_work_mem: '128MB',
    max_wal_size: '2GB',
    wal_compression: 'pglz',
    checkpoint_timeout: '15min',
    random_page_cost: '1.1',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // What fails in a statement is the caller's to report; here it would write personal data into a file.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    dynamic_shared_memory_type: hasSharedMemory() ? 'posix' : 'mmap',
    ...(durable
      ? {}
      : {
          // Tests: they lose nothing by a crash, and keep several applications open at once.
          fsync: 'off',
          synchronous_commit: 'off',
          full_page_writes: 'off',
          autovacuum: 'off',
          max_connections: '400',
        }),
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** Containers give /dev/shm 64 MB by default, too little for parallel queries. */
function hasSharedMemory(): boolean {
  if (process.platform !== 'linux') return true;
  try {
    const { bsize, blocks } = statfsSync('/dev/shm');
    return bsize * blocks >= MIN_SHARED_MEMORY_MB * MEGABYTE;
  } catch {
    return false;
  }
}
