/** Called with errors thrown by a listener. */
export type OnFault = (error: unknown) => void;

/**
 * Wraps a listener of an emitter, socket, stream or timer to report errors to `onFault`. Its callers catch nothing, so a throw would end
 * the process.
 */
export function guarded<Args extends readonly unknown[]>(
  onFault: OnFault,
  listener: (...args: Args) => unknown,
): (...args: Args) => void {
  return (...args) => {
    try {
      const outcome = listener(...args);
      if (outcome instanceof Promise) outcome.catch(onFault);
    } catch (error) {
      onFault(error);
    }
  };
}
