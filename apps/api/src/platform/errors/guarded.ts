/** Told of what a listener threw. */
export type OnFault = (error: unknown) => void;

/**
 * A listener of an emitter, socket, stream or timer whose faults go to `onFault`: whoever calls it catches nothing, so that one throw of it
 * would end the process.
 */
export function guarded<Given extends readonly unknown[]>(
  onFault: OnFault,
  listener: (...given: Given) => unknown,
): (...given: Given) => void {
  return (...given) => {
    try {
      const outcome = listener(...given);
      if (outcome instanceof Promise) outcome.catch(onFault);
    } catch (error) {
      onFault(error);
    }
  };
}
