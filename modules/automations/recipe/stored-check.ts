/** Whether the steps of a stored definition still fit the recipe: fields, actions, templates and roles that they name. */
import type { Action } from '@larder-dev/larder/kernel'
import { rolesOfWorkspaces } from '@larder-dev/larder/kernel'
import type { ActionStep, Automation } from '../domain/definition/automation.ts'
import type { RowKinds } from '../services/row-kinds.ts'
import { actionsOf } from './known.ts'
import { type Offered, object } from './offered.ts'
import type { CheckedParts } from './running-recipe.ts'
import { actionMistakes } from './step-check.ts'
import { ANY, type Schema } from './types.ts'

/** What is gone, as sentences. @param from the position of the step that is next. */
export function brokenReferences(
  { trigger, steps }: Automation,
  from: number,
  recipe: CheckedParts,
  rows: RowKinds,
): readonly string[] {
  const actions = actionsOf(recipe)
  const roles = rolesOfWorkspaces(recipe)
  const offered = offeredTo(trigger, rows)
  return steps.slice(from).flatMap(step => {
    if (step.kind === 'wait') return []
    if (step.kind === 'ask') return roles.includes(step.role) ? [] : [`unknown role "${step.role}"`]
    const action = actions.get(step.action)
    return action ? ofAction(action, step, offered, recipe, rows) : [`unknown action "${step.action}"`]
  })
}

const ofAction = (action: Action, step: ActionStep, offered: Offered, recipe: CheckedParts, rows: RowKinds) =>
  actionMistakes(action, step.input, offered, { recipe, rows, at: [] })
    .mistakes.filter(({ code, severity }) => code.startsWith('unknown_') && severity === undefined)
    .map(({ message }) => message)

/** Values other than those of the row aren't examined: they are what the run was started with. */
function offeredTo(trigger: Automation['trigger'], rows: RowKinds): Offered {
  const collection = collectionOf(trigger, rows)
  const row = collection === undefined ? undefined : rows.all.get(collection)?.row
  const others = ['event', 'previous', 'input', 'steps', 'item', 'workspace', 'product', 'date', 'plannedAt']
  const schema = object({
    ...Object.fromEntries(others.map(name => [name, ANY])),
    row: (row as Schema | undefined) ?? ANY,
  })
  return { of: undefined, collection, schema }
}

function collectionOf(trigger: Automation['trigger'], rows: RowKinds): string | undefined {
  if (trigger.kind === 'date') return trigger.collection
  if (trigger.kind === 'button') return trigger.on
  if (trigger.kind === 'schedule') return typeof trigger.each === 'object' ? trigger.each?.collection : undefined
  const [first] = trigger.kind === 'event' ? trigger.events : []
  return first === undefined ? undefined : rows.ofEvent(first)?.rows.collection
}
