/** The rows that automations can follow, as modules register them. */
import type { ActionRecipe, Deps, RecipeView } from '@larder-dev/larder/kernel'
import type { AutomationRows } from '../ports.ts'

export interface RowKinds {
  readonly all: ReadonlyMap<string, AutomationRows>
  ofEvent(type: string): { readonly rows: AutomationRows; readonly kind: RowEventKind } | undefined
}
export type RowEventKind = 'created' | 'updated' | 'deleted'

/** @param modules of the recipe. */
export function rowKindsOf(recipe: Pick<ActionRecipe, 'modules' | 'section'>): RowKinds {
  const rows = recipe.modules.flatMap(({ module }) => {
    const find: unknown = Reflect.get(module, 'automationRows')
    return typeof find === 'function' ? (find(recipe) as readonly AutomationRows[]) : []
  })
  const events = new Map(
    rows.flatMap(each => [
      ...Object.entries(each.events).map(([kind, type]) => [type, { rows: each, kind: kind as RowEventKind }] as const),
      ...each.stateEvents.map(type => [type, { rows: each, kind: 'updated' }] as const),
    ]),
  )
  return { all: new Map(rows.map(each => [each.collection, each])), ofEvent: type => events.get(type) }
}

export const createRowKinds = ({ registry }: Deps<'registry'>, _options: unknown, { section }: RecipeView): RowKinds =>
  rowKindsOf({ modules: registry.declared(), section })
