/** Thrown when a handler exceeds its time: its unit of work waits only for statements already sent, and rolls back. */
export class HandlerTimeout extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'HandlerTimeout'
  }
}
