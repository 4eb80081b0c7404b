/** The port `eventErasure`. */
export interface EventErasure {
  /**
   * Redacts what has finished, and deletes finished jobs that name the person. False while such events or jobs are
   * unfinished, because their handlers still read them: call again later then. Repeatable.
   */
  run(person: ErasedFromEvents, signal: AbortSignal): Promise<boolean>
}

export interface ErasedFromEvents {
  readonly tenantIds: readonly string[]
  /** Addresses in lower case. */
  readonly emails: readonly string[]
  /** Patterns of LIKE for texts in lower case that contain one of the addresses. */
  readonly patterns: readonly string[]
  /** Replaces addresses and the name in a JSON value. */
  redact<T>(value: T): T
}

declare module '@larder-dev/larder/kernel' {
  interface Ports {
    eventErasure: EventErasure
  }
}
