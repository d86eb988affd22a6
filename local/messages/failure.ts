// A call that the stand-ins refuse, in the words of AWS.

/** The `name` is the error code of the service. */
export class MessageError extends Error {
  constructor(code: string, message: string) {
    super(message);
    this.name = code;
  }
}
