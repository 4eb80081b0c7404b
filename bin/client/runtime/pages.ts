import type { Call } from './call.ts'

/** @internal */
export interface CursorPage<Item> {
  readonly data: readonly Item[]
  readonly nextCursor?: string | null
  readonly next_cursor?: string | null
}

/** Every item of a list; pages are loaded as they are needed. @internal */
export async function* everyItem<Item>(
  load: (cursor: string | undefined) => Call<CursorPage<Item>>,
): AsyncGenerator<Item, void, undefined> {
  let cursor: string | undefined
  do {
    const page: CursorPage<Item> = await load(cursor)
    yield* page.data
    cursor = page.nextCursor ?? page.next_cursor ?? undefined
  } while (cursor !== undefined)
}
