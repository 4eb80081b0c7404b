import type { Deps, RecipeChange, RecipeView } from '@larder-dev/larder/kernel'
import { displayUrl } from '../domain/endpoint.ts'
import { recipeEndpoints } from './apply.ts'
import { diffEndpoints } from './diff.ts'
import type { Sections } from './sections.ts'

export async function plan(
  { database, operator }: Deps<'database' | 'operator'>,
  _options: unknown,
  { sections }: RecipeView<Sections>,
): Promise<readonly RecipeChange[]> {
  const { writes, gone } = diffEndpoints(await recipeEndpoints(database.tenant(operator.tenantId)), sections)
  return [
    ...writes.map(
      ({ row, declared }): RecipeChange => ({
        change: row ? 'change' : 'add',
        subject: `webhook endpoint ${declared.key}`,
        detail: `${displayUrl(declared.url)}: ${declared.events.join(', ')}`,
      }),
    ),
    ...gone.map(
      ({ row }): RecipeChange => ({
        change: 'remove',
        subject: `webhook endpoint ${row.key}`,
        breaks: `${displayUrl(row.url)} receives no more events`,
      }),
    ),
  ]
}
