import { limits } from "../../schema/limits.ts";

/** As much of Node's own handle of a socket as is used. */
interface SocketHandle {
  /** 0 where the file could be taken. */
  open(file: number): number | undefined;
  readStart(): number;
  close(): void;
  /** Is called with bytes, or with none at the end and on an error; `ReadState` says which. */
  onread: (bytes?: ArrayBuffer) => void;
}

/** Where Node leaves what the last call of `onread` is about. */
interface ReadState {
  readonly streamBaseState: ArrayLike<number>;
  /** Places in it: bytes read or a negative error, and where they begin. */
  readonly kReadBytesOrError: number;
  readonly kArrayBufferOffset: number;
}

interface PipeBinding {
  readonly Pipe: new (type: number) => SocketHandle;
  readonly constants: { readonly SOCKET: number };
}

/** How libuv says that there is no more. */
const endOfFile = -4_095;

/**
 * The socket that is a file, read by the handle by which Node's own streams read: to load those takes a tenth of a hook, and
 * Node has no other call that reads from a socket without waiting. Gives all of it at once, and of more than any payload as
 * much as shows that. Undefined where this Node does not give the handle away, or has it in another form; nothing was read
 * then. Rejects with what reading fails with.
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
    // What is read on standard error must not depend on which Node it is, nor on its options.
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
