/** The check of automations: names, types, and circles. */

import {
  type Action,
  didYouMean,
  milliseconds,
  type RecipeDiagnostic,
  rolesOfWorkspaces,
  type ValidatedRecipe,
} from '@larder-dev/larder/kernel'
import { anyCovers } from '@larder-dev/larder/kernel/internal'
import { MAX_WAIT } from '../domain/definition/automation.ts'
import { type DeclaredAutomation, type DeclaredStep, STEP_WORDS } from '../domain/definition/declared.ts'
import { actionOf } from '../domain/definition/normalize.ts'
import { parseExpression, pathsIn } from '../domain/values/expression.ts'
import { rowKindsOf } from '../services/row-kinds.ts'
import { circles, type Publication } from './circles.ts'
import { conditionMistakes } from './condition-check.ts'
import { actionsOf } from './known.ts'
import { CHOSEN, eventSchemas, type Offered, object, offeredBy, withItem, withStep } from './offered.ts'
import type { Sections } from './sections.ts'
import { actionMistakes, valueMistakes } from './step-check.ts'
import { type Known, triggerMistakes, unknown } from './trigger-check.ts'
import { ANY, isMistake, type Mistake, type Schema, schemaAt, typesOf } from './types.ts'

type Recipe = ValidatedRecipe<unknown, Sections>

/** Automation → events that its steps publish. */
type Published = Map<string, Publication[]>

export function validate(recipe: Recipe): readonly RecipeDiagnostic[] {
  const automations = recipe.sections.automations ?? {}
  if (Object.keys(automations).length === 0) return []
  const context = contextOf(recipe)
  const published: Published = new Map()
  const found = Object.entries(automations).flatMap(([key, automation]) =>
    checkOne(key, automation, context, published).map(({ path, ...mistake }) => ({
      path: ['automations', key, ...path],
      ...mistake,
    })),
  )
  const loops = circles(automations, published).map((circle): RecipeDiagnostic => {
    const [first = ''] = circle
    return {
      path: ['automations', first],
      at: 'key',
      severity: 'warning',
      code: 'circular_automations',
      message: `Automations start one another: ${[...circle, first].join(' → ')}`,
      hint: 'Name fields in changed that the steps of the circle do not set. After 8 runs, a circle is stopped',
    }
  })
  return [...found, ...loops]
}

interface Context {
  readonly recipe: Recipe
  readonly known: Known
  readonly events: ReadonlyMap<string, Schema>
  readonly actions: ReadonlyMap<string, Action>
}

function contextOf(recipe: Recipe): Context {
  const events = eventSchemas(recipe)
  const roles = recipe.complete ? rolesOfWorkspaces(recipe) : undefined
  const rows = rowKindsOf(recipe)
  const canRead = (role: string, collection: string): boolean => {
    const readers = rows.all.get(collection)?.readers ?? 'everybody'
    return (
      readers === 'everybody' ||
      readers.includes(role) ||
      anyCovers(permissionsOf(recipe, role), `collections.${collection}.read`)
    )
  }
  const known = { events: [...events.keys()], rows, roles, canRead }
  return { recipe, events, known, actions: actionsOf(recipe) }
}

/** Those of a role of the recipe or of a module, with those of roles that it extends. */
function permissionsOf({ roles, modules }: Pick<Recipe, 'roles' | 'modules'>, role: string): readonly string[] {
  if (role === 'tenant.owner') return ['*']
  const own = roles[role] as { readonly permissions?: readonly string[]; readonly extends?: unknown } | undefined
  if (own) return own.extends === undefined ? (own.permissions ?? []) : ['*']
  return modules.flatMap(({ module }) => module.roles?.[role]?.permissions ?? [])
}

function checkOne(key: string, automation: DeclaredAutomation, context: Context, published: Published): Mistake[] {
  const { known, events, recipe } = context
  const triggers = triggerMistakes(automation, known)
  // What a module declares isn't known if it failed to load.
  const reported = recipe.complete ? triggers : triggers.filter(({ code }) => !code.startsWith('unknown_'))
  const offers = offeredBy(automation, events, known.rows)
  const types: Publication[] = []
  published.set(key, types)
  const inner = offers.flatMap(offered => [
    ...conditionMistakes(automation.when ?? {}, offered, ['when']),
    ...filterMistakes(automation, offered),
    ...stepsMistakes(automation.steps, offered, context, types),
  ])
  return unique([...nameMistakes(key), ...reported, ...formerNameMistakes(key, automation, recipe), ...inner])
}

/** Names of lists below /v1/automations. */
const RESERVED = ['runs', 'asks']

function nameMistakes(key: string): Mistake[] {
  if (!RESERVED.includes(key)) return []
  return [
    {
      path: [],
      at: 'key',
      code: 'invalid_key',
      message: `An automation can't have the name "${key}"`,
      hint: `/v1/automations/${key} is a list. Choose another name`,
    },
  ]
}

/** An earlier name belongs to no other automation. */
function formerNameMistakes(key: string, { was }: DeclaredAutomation, { sections }: Recipe): Mistake[] {
  if (was === undefined) return []
  const automations = Object.entries(sections.automations ?? {})
  if (automations.some(([name]) => name === was))
    return [
      {
        path: ['was'],
        code: 'invalid_was',
        message: `The recipe still has the automation "${was}"`,
        hint: 'Remove was',
      },
    ]
  const first = automations.find(([, other]) => other.was === was)?.[0]
  return first === key
    ? []
    : [{ path: ['was'], code: 'invalid_was', message: `"${was}" is already the earlier name of "${first}"` }]
}

/** The rows of `every` with `each`. */
function filterMistakes({ each }: DeclaredAutomation, offered: Offered): Mistake[] {
  if (typeof each !== 'object' || !each.filter) return []
  const { row = ANY } = offered.schema.properties as Readonly<Record<string, Schema>>
  return conditionMistakes(each.filter, { ...offered, schema: row }, ['each', 'filter'])
}

function stepsMistakes(
  steps: readonly DeclaredStep[],
  start: Offered,
  context: Context,
  published: Publication[],
): Mistake[] {
  const mistakes: Mistake[] = []
  const names = new Set<string>()
  let offered = start
  for (const [index, step] of steps.entries()) {
    const at = ['steps', index]
    const { found, output } = stepMistakes(step, offered, context, at, published)
    mistakes.push(
      ...conditionMistakes(step.when ?? {}, offered, [...at, 'when']),
      ...found,
      ...misplacedMistakes(step, at),
      ...conditionalMistakes(step, steps.slice(0, index), at),
    )
    if (step.as === undefined) continue
    if (names.has(step.as))
      mistakes.push({ path: [...at, 'as'], code: 'duplicate_name', message: `Two steps have the name "${step.as}"` })
    names.add(step.as)
    offered = withStep(offered, step.as, output)
  }
  return mistakes
}

function stepMistakes(
  step: DeclaredStep,
  offered: Offered,
  { actions, known, recipe }: Context,
  at: readonly (string | number)[],
  published: Publication[],
): { readonly found: readonly Mistake[]; readonly output: Schema } {
  const name = actionOf(step)
  const near = name !== undefined && !name.includes('.') ? didYouMean(name, STEP_WORDS) : undefined
  if (name !== undefined && near !== undefined)
    return {
      output: ANY,
      found: [{ path: [...at, name], code: 'unknown_key', message: `Unknown key "${name}"`, hint: near }],
    }
  const kinds = [name, step.wait, step.ask].filter(each => each !== undefined)
  const others = Object.keys(step).filter(key => key.includes('.'))
  if (kinds.length !== 1 || others.length > 1)
    return {
      output: ANY,
      found: [
        {
          path: at,
          code: 'invalid_step',
          message: 'A step is one action, or wait, or ask',
          hint: 'Write one list item for each',
        },
      ],
    }
  if (step.ask) return askMistakes(step.ask, offered, known, [...at, 'ask'])
  if (step.wait !== undefined) {
    const until = typeof step.wait === 'object' ? step.wait.until : undefined
    const found =
      until === undefined
        ? tooLong(step.wait, [...at, 'wait'])
        : untilMistakes(until, offered, [...at, 'wait', 'until'])
    return { output: ANY, found }
  }
  const action = actions.get(name ?? '')
  if (!action)
    return {
      output: ANY,
      found: recipe.complete
        ? [unknown('unknown_action', 'action', name ?? '', [...actions.keys()], [...at, name ?? ''])]
        : [],
    }
  const { item, found: listMistakes } = itemOf(step, offered, at)
  const input = (step[name ?? ''] ?? {}) as Readonly<Record<string, unknown>>
  const own = item ? withItem(offered, item) : offered
  const checked = actionMistakes(action, input, own, { recipe, rows: known.rows, at: [...at, name ?? ''] })
  for (const type of checked.events) published.push({ type, changes: checked.changes })
  return {
    output: item ? { type: 'array', items: checked.output } : checked.output,
    found: [...listMistakes, ...checked.mistakes],
  }
}

/** A written time, or a value: also of a `date`, whose day begins then. */
const untilMistakes = (until: string, offered: Offered, path: readonly (string | number)[]): Mistake[] =>
  valueMistakes(
    until,
    { type: 'string', ...(parseExpression(until).kind === 'literal' && { format: 'date-time' }) },
    offered,
    path,
  )

function tooLong(duration: unknown, path: readonly (string | number)[]): Mistake[] {
  if (typeof duration !== 'string' || milliseconds(duration) <= MAX_WAIT) return []
  return [{ path, code: 'invalid_value', message: 'A run waits for at most 400 days', hint: 'Write at most 400d' }]
}

/** Words that belong to actions. */
const misplacedMistakes = (step: DeclaredStep, at: readonly (string | number)[]): Mistake[] =>
  step.wait === undefined && step.ask === undefined
    ? []
    : (['each', 'retry', 'onError'] as const)
        .filter(word => step[word] !== undefined)
        .map(word => ({
          path: [...at, word],
          code: 'invalid_option',
          message: `"${word}" belongs to a step with an action`,
        }))

/** Reads of a step that may not have run. The conditions of a step are false without the value. */
function conditionalMistakes(
  { when = {}, ...step }: DeclaredStep,
  earlier: readonly DeclaredStep[],
  at: readonly (string | number)[],
): Mistake[] {
  const asks = (name: string) => Object.keys(when).some(path => `${path}.`.startsWith(`steps.${name}.`))
  const repeats = (condition: object) =>
    Object.entries(condition).every(([path, test]) => JSON.stringify(when[path]) === JSON.stringify(test))
  const unsure = new Map(
    earlier.flatMap(({ as, when: condition = {}, onError }) =>
      as === undefined || asks(as) || (onError === undefined && repeats(condition)) ? [] : [[as, onError] as const],
    ),
  )
  const names = new Set(pathsIn(step).flatMap(([root, name = '']) => (root === 'steps' ? name : [])))
  return [...names]
    .filter(name => unsure.has(name))
    .map(name => ({
      path: at,
      code: 'conditional_step',
      severity: 'warning',
      message: `The step "${name}" ${unsure.get(name) ? 'can fail' : 'has a condition'}, and then has no value`,
      hint: `Add when: { steps.${name}: { exists: true } }, or the same condition`,
    }))
}

function askMistakes(
  ask: NonNullable<DeclaredStep['ask']>,
  offered: Offered,
  { roles }: Known,
  at: readonly (string | number)[],
) {
  const texts =
    typeof ask.text === 'string' ? [['text', ask.text]] : Object.entries(ask.text).map(([key, text]) => [key, text])
  return {
    output: object({
      choice: { anyOf: [{ type: 'string', enum: [...ask.choices] }, { type: 'null' }], ...CHOSEN },
      timedOut: { type: 'boolean' },
      answeredBy: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    }),
    found: [
      ...tooLong(ask.timeout, [...at, 'timeout']),
      ...(roles && !roles.includes(ask.role)
        ? [unknown('unknown_role', 'role', ask.role, roles, [...at, 'role'])]
        : []),
      ...texts.flatMap(([, text]) => valueMistakes(text, { type: 'string' }, offered, [...at, 'text'])),
    ],
  }
}

function itemOf({ each }: DeclaredStep, { schema }: Offered, at: readonly (string | number)[]) {
  const expression = each === undefined ? undefined : parseExpression(each)
  if (each === undefined || expression?.kind !== 'value') return { item: undefined, found: [] }
  const found = schemaAt(schema, expression.path, each)
  const path = [...at, 'each']
  if (isMistake(found)) return { item: ANY, found: [{ path, ...found }] }
  const types = typesOf(found)
  if (types && !types.includes('array'))
    return { item: ANY, found: [{ path, code: 'wrong_type', message: `${each} is no list` }] }
  return { item: (found.items ?? ANY) as Schema, found: [] }
}

/** An automation with several events reports a mistake once. */
function unique(mistakes: readonly Mistake[]): Mistake[] {
  const seen = new Map(mistakes.map(mistake => [JSON.stringify([mistake.path, mistake.message]), mistake]))
  return [...seen.values()]
}
