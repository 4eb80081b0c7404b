/** What the tests change while the module runs. Recipes load modules as separate copies, which share this object. */
interface BoardState {
  /** Keys of boards that nobody may read. */
  readonly closed: Set<string>
  /** Keys of boards whose restricted cards nobody may read. */
  readonly restricted: Set<string>
  /** Runs during the authorization of a subscription. */
  onAuthorize: (() => Promise<void>) | undefined
}

const shared = globalThis as { boardState?: BoardState }
shared.boardState ??= { closed: new Set(), restricted: new Set(), onAuthorize: undefined }
export const boardState: BoardState = shared.boardState
