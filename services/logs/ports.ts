/** The port of the recent log lines of this process. Types only. */

export interface LogEntry {
  /** Unique over all processes. */
  readonly id: string
  /** RFC 3339 UTC. */
  readonly at: string
  /** A level of pino: 10 trace, 20 debug, 30 info, 40 warn, 50 error, 60 fatal. */
  readonly level: number
  readonly message: string
  readonly requestId: string | null
  /** All other fields of the line. */
  readonly fields: Readonly<Record<string, unknown>>
}
export interface LogQuery {
  readonly minLevel: number
  /** Text anywhere in the line, without regard to case. */
  readonly text?: string | undefined
  readonly requestId?: string | undefined
  /** Milliseconds since 1970, both included. */
  readonly since?: number | undefined
  readonly until?: number | undefined
  /** Lines for which it returns false are left out, and don't count towards `limit`. */
  readonly accepts?: ((entry: LogEntry) => boolean) | undefined
  readonly limit: number
}
export interface RecentLog {
  /** Names this process: host name and process ID. */
  readonly process: string
  /** Newest first. */
  list(query: LogQuery): { readonly entries: readonly LogEntry[]; readonly hasMore: boolean }
}

declare module '@larder-dev/larder/kernel' {
  interface Ports {
    recentLog: RecentLog
  }
}
