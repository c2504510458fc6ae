import { Button, Center } from '@mantine/core';
import IconMoodSad from '@tabler/icons-react/dist/esm/icons/IconMoodSad.mjs';
import { Component, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { MissingChunkError } from '../lib/browser/loading';
import { EmptyState } from './empty-state';

interface ErrorBoundaryProps {
  children: ReactNode;
  /** Key of the location; a new one resets the error and keeps what did not crash. */
  resetKey?: string;
}

interface ErrorBoundaryState {
  hasCrashed: boolean;
  /** The screen is not broken: the server has a newer build. */
  isChunkMissing?: boolean;
}

/** Keeps an error of one screen from blanking the whole page. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { hasCrashed: false };

  static getDerivedStateFromError(error: unknown): ErrorBoundaryState {
    return { hasCrashed: true, isChunkMissing: error instanceof MissingChunkError };
  }

  override componentDidUpdate({ resetKey }: ErrorBoundaryProps): void {
    if (this.state.hasCrashed && resetKey !== this.props.resetKey) this.setState({ hasCrashed: false });
  }

  override render(): ReactNode {
    return this.state.hasCrashed ? (
      <CrashNotice isChunkMissing={this.state.isChunkMissing === true} />
    ) : (
      this.props.children
    );
  }
}

function CrashNotice({ isChunkMissing }: { isChunkMissing: boolean }) {
  const { t } = useTranslation('shell');
  return (
    <Center mih="60dvh" role="alert">
      <EmptyState
        icon={IconMoodSad}
        title={t(isChunkMissing ? 'error.newVersionTitle' : 'error.crashTitle')}
        text={t(isChunkMissing ? 'error.newVersionText' : 'error.crashText')}
        action={<Button onClick={() => location.reload()}>{t('error.reload')}</Button>}
      />
    </Center>
  );
}
