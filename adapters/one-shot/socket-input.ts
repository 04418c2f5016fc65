import { limits } from "../../schema/limits.ts";

/** The part of Node's own socket handle that is used here. */
interface SocketHandle {
  /** Returns 0 if the file could be opened. */
  open(file: number): number | undefined;
  readStart(): number;
  close(): void;
  /** Called with bytes, or without any at the end or on an error; `ReadState` says which. */
  onread: (bytes?: ArrayBuffer) => void;
}

/** Where Node stores the details of the last `onread` call. */
interface ReadState {
  readonly streamBaseState: ArrayLike<number>;
  /** Indexes into it: the number of bytes read or a negative error, and the offset of the bytes. */
  readonly kReadBytesOrError: number;
  readonly kArrayBufferOffset: number;
}

interface PipeBinding {
  readonly Pipe: new (type: number) => SocketHandle;
  readonly constants: { readonly SOCKET: number };
}

/** Error number of libuv for the end of the file. */
const endOfFile = -4_095;

/**
 * Reads the socket with this file descriptor by the handle that Node's own streams use. Loading streams takes a tenth of a
 * hook's time, and Node has no other non-blocking read for sockets. Resolves with all bytes at once, and stops once there
 * are more than a payload may have. Undefined, with nothing read, if this Node does not expose the handle in the known form.
 * Rejects if reading fails.
 */
export function socketInput(file: number): Promise<Uint8Array> | undefined {
  const handle = handleOf(file);
  if (!handle) return undefined;
  const { socket, state } = handle;
  return new Promise((done, failed) => {
    const chunks: Uint8Array[] = [];
    let length = 0;
    const end = (): void => {
      socket.close();
      done(Buffer.concat(chunks));
    };
    socket.onread = (bytes) => {
      const count = state.streamBaseState[state.kReadBytesOrError];
      if (count === endOfFile) end();
      else if (count === undefined || count < 0 || (count > 0 && !(bytes instanceof ArrayBuffer)))
        failed(new Error(`standard input cannot be read (${count})`));
      else if (bytes && count > 0) {
        chunks.push(new Uint8Array(bytes, state.streamBaseState[state.kArrayBufferOffset], count));
        length += count;
        if (length > limits.eventBytes) end();
      }
    };
    const fault = socket.readStart();
    if (fault) failed(new Error(`standard input cannot be read (${fault})`));
  });
}

function handleOf(file: number): { readonly socket: SocketHandle; readonly state: ReadState } | undefined {
  const { noDeprecation } = process;
  try {
    // Our standard error must not depend on the Node version or its options.
    process.noDeprecation = true;
    const { binding } = process as unknown as { binding(name: string): unknown };
    const { Pipe, constants } = binding("pipe_wrap") as PipeBinding;
    const state = binding("stream_wrap") as ReadState;
    const { streamBaseState, kReadBytesOrError, kArrayBufferOffset } = state;
    const isKnown = [streamBaseState[kReadBytesOrError], streamBaseState[kArrayBufferOffset]].every(Number.isInteger);
    if (!isKnown || !Number.isInteger(constants.SOCKET)) return undefined;
    const socket = new Pipe(constants.SOCKET);
    return socket.open(file) ? undefined : { socket, state };
  } catch {
    return undefined;
  } finally {
    process.noDeprecation = noDeprecation === true;
  }
}
