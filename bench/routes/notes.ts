/** What the time of routes below half of the raw server's rate goes to. */
export interface Note {
  readonly routes: readonly string[]
  readonly reason: string
}

export const NOTES: readonly Note[] = []
