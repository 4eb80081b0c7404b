/** A schedule runs once, for each row of a collection, or in each workspace. */
import type { Deps } from '@larder-dev/larder/kernel'
import type { DeclaredCondition, DeclaredSelection } from '../../domain/definition/declared.ts'
import type { RowKinds } from '../row-kinds.ts'

export interface Target {
  readonly tenantId: string
  readonly collection: string | null
  readonly rowId: string | null
}

export interface Targets {
  /** In pages. */
  of(selection: DeclaredSelection | null): AsyncGenerator<readonly Target[]>
  /** The rows of a collection in every active workspace, in pages. */
  rows(
    collection: string,
    filter?: DeclaredCondition,
  ): AsyncGenerator<{ readonly tenantId: string; readonly rows: readonly Readonly<Record<string, unknown>>[] }>
}

const PAGE = 200

export function createTargets({
  collections,
  tenantDirectory,
  operator,
  rowKinds,
}: Deps<'operator', 'collections' | 'tenantDirectory'> & { readonly rowKinds: RowKinds }): Targets {
  async function* workspaces(): AsyncGenerator<readonly string[]> {
    if (!tenantDirectory) return yield [operator.tenantId]
    for (let cursor: string | undefined; ; ) {
      const { data, nextCursor } = await tenantDirectory.list({ limit: PAGE, cursor })
      yield data.flatMap(({ id, suspendedAt }) => (suspendedAt === null ? id : []))
      if (nextCursor === null) return
      cursor = nextCursor
    }
  }

  async function* rows(collection: string, filter: DeclaredCondition = {}): ReturnType<Targets['rows']> {
    const isShared = rowKinds.all.get(collection)?.isShared === true
    for await (const ids of isShared ? [[operator.tenantId]] : workspaces())
      for (const tenantId of ids)
        for (let cursor: string | undefined; ; ) {
          const page = await collections?.rows(collection, { tenantId }).list({ filter, limit: PAGE, cursor })
          if (page && page.data.length > 0) yield { tenantId, rows: page.data }
          if (!page || page.nextCursor === null) break
          cursor = page.nextCursor
        }
  }

  return {
    rows,
    async *of(selection) {
      if (selection === null) yield [{ tenantId: operator.tenantId, collection: null, rowId: null }]
      else if (selection === 'workspaces')
        for await (const ids of workspaces()) yield ids.map(tenantId => ({ tenantId, collection: null, rowId: null }))
      else
        for await (const { tenantId, rows: found } of rows(selection.collection, selection.filter))
          yield found.map(({ id }) => ({ tenantId, collection: selection.collection, rowId: String(id) }))
    },
  }
}
