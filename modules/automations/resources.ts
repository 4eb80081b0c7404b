/** What the console shows: automations, their runs and questions, and on rows of collections their buttons and runs. */
import type { Deps, LocalText, Registrations } from '@larder-dev/larder/kernel'
import { conditionParts, type Operators } from '@larder-dev/larder/kernel/internal'
import type { Automation } from './domain/definition/automation.ts'
import type { DeclaredButton, DeclaredCondition } from './domain/definition/declared.ts'
import { pressOperation } from './domain/names.ts'
import type { AutomationRows } from './ports.ts'
import type { PressRights } from './services/starts/press-rights.ts'
import type { AutomationServices } from './services.ts'

const STATES = {
  running: { title: 'Running' },
  waiting: { title: 'Waiting' },
  done: { title: 'Done', tone: 'success' },
  ended: { title: 'Row is gone', tone: 'plain' },
  skipped: { title: 'Skipped', tone: 'plain' },
  failed: { title: 'Failed', tone: 'danger' },
  refused: { title: 'Refused by the plan', tone: 'warning' },
  cancelled: { title: 'Cancelled', tone: 'plain' },
} as const
const TRIGGERS = {
  event: { title: 'Event', tone: 'plain' },
  schedule: { title: 'Schedule', tone: 'plain' },
  date: { title: 'Date of a row', tone: 'plain' },
  button: { title: 'Button', tone: 'plain' },
  hook: { title: 'Hook', tone: 'plain' },
} as const
const OVER = ['done', 'ended', 'skipped', 'failed', 'refused', 'cancelled']

export const resources: Registrations['resources'] = [
  {
    name: 'list',
    group: 'product',
    title: 'Automations',
    singular: 'Automation',
    label: 'label',
    key: 'key',
    icon: 'workflow',
    operations: { list: 'listAutomations', get: 'getAutomation' },
    columns: ['label', 'trigger', 'startedBy', 'lastState', 'lastRunAt', 'successRate', 'nextAt'],
    states: { lastState: STATES, trigger: TRIGGERS },
    labels: { lastState: 'Last result', nextAt: 'Next time', open: 'Under way' },
    operatorOnly: true,
  },
  {
    name: 'runs',
    title: 'Runs of automations',
    singular: 'Run',
    label: 'automation',
    icon: 'history',
    operations: { list: 'listAutomationRuns', get: 'getAutomationRun' },
    columns: ['automation', 'state', 'trigger', 'rowId', 'tenantId', 'createdAt', 'finishedAt'],
    filters: ['filter[state]', 'filter[automation]', 'filter[tenantId]', 'filter[rowId]'],
    states: { state: STATES, trigger: TRIGGERS },
    labels: {
      tenantId: 'Workspace',
      rowId: 'Row',
      position: 'Next step',
      'filter[tenantId]': 'Workspace',
      'filter[rowId]': 'Row',
    },
    actions: [
      {
        operation: 'retryAutomationRun',
        title: 'Retry',
        confirm: 'Continue at the step that failed?',
        when: { state: ['failed'] },
        isButton: true,
        done: 'The run continues.',
      },
      {
        operation: 'cancelAutomationRun',
        title: 'Cancel',
        danger: true,
        confirm: 'Cancel this run? Steps that are done stay done.',
        when: { state: ['running', 'waiting'] },
        isButton: true,
        done: 'The run is cancelled.',
      },
      {
        operation: 'repeatAutomationRun',
        title: 'Run again',
        confirm: 'Start a new run with the same input?',
        when: { state: OVER },
        isButton: true,
        done: 'A new run has started.',
      },
    ],
    operatorOnly: true,
    refreshSeconds: 10,
  },
  {
    name: 'asks',
    title: 'Questions',
    singular: 'Question',
    label: 'text',
    icon: 'circle-help',
    operations: { list: 'listAutomationAsks', get: 'getAutomationAsk' },
    columns: ['text', 'automation', 'createdAt', 'expiresAt'],
    labels: { choices: 'Possible answers' },
    actions: [{ operation: 'answerAutomationAsk', title: 'Send answer' }],
  },
]

type Resource = Registrations['resources'][number]
type Addition = Registrations['resourceAdditions'][number]
type Action = NonNullable<Addition['actions']>[number]
type Given = Deps<never, 'collections'> & Pick<AutomationServices, 'definitions' | 'rowKinds' | 'pressRights'>

const resourceOf = (collection: string): string => `collections.${collection}`
const nameOf = (collection: string): string => `${collection}-runs`

/** One list for each collection that an automation follows. */
export const runsOfRows = (given: Given): Resource[] =>
  followed(given).map(collection => ({
    name: nameOf(collection),
    title: 'Automations',
    singular: 'Run',
    label: 'automation',
    icon: 'workflow',
    within: resourceOf(collection),
    operations: { list: 'listAutomationRuns', get: 'getAutomationRun' },
    columns: ['automation', 'state', 'trigger', 'createdAt', 'finishedAt'],
    states: { state: STATES, trigger: TRIGGERS },
    refreshSeconds: 10,
  }))

export const resourceAdditions = (given: Given): Addition[] =>
  followed(given).map(collection => ({
    to: resourceOf(collection),
    actions: [...given.definitions.current.values()].flatMap(automation =>
      automation.trigger.kind === 'button' && automation.trigger.on === collection
        ? [buttonOf(automation, automation.trigger, given.rowKinds.all.get(collection), given.pressRights)]
        : [],
    ),
    relations: [{ resource: `automations.${nameOf(collection)}`, parameters: { 'filter[rowId]': 'id' } }],
  }))

function followed({ definitions, rowKinds }: Given): string[] {
  const names = [...definitions.current.values()].flatMap(({ trigger }) => {
    if (trigger.kind === 'event') return trigger.events.map(type => rowKinds.ofEvent(type)?.rows.collection)
    if (trigger.kind === 'schedule') return [trigger.each === 'workspaces' ? undefined : trigger.each?.collection]
    if (trigger.kind === 'date') return [trigger.collection]
    return [trigger.kind === 'button' ? trigger.on : undefined]
  })
  return [...new Set(names)].filter(name => name !== undefined && rowKinds.all.has(name)) as string[]
}

function buttonOf(
  { key, when }: Automation,
  button: DeclaredButton,
  rows: AutomationRows | undefined,
  pressRights: PressRights,
): Action {
  const { label, confirm, input = {} } = button
  const fields = Object.entries(input)
  return {
    operation: pressOperation(key),
    title: label,
    body: { row: 'id' },
    offeredTo: caller => pressRights.mayPress(caller, key, button),
    isButton: true,
    done: 'The automation has started.',
    ...(confirm !== undefined && { confirm }),
    when: shownWhen(when, rows),
    labels: Object.fromEntries(
      fields.flatMap(([name, field]) => (field.label === undefined ? [] : [[name, field.label]])),
    ),
    hints: fields.flatMap(([, { help }]) => (help === undefined ? [] : [help as LocalText])),
    states: Object.fromEntries(
      fields.flatMap(([name, { type, labels }]) =>
        type === 'enum' && labels !== undefined
          ? [[name, titlesOf(labels as Readonly<Record<string, LocalText>>)]]
          : [],
      ),
    ),
  }
}

const titlesOf = (labels: Readonly<Record<string, LocalText>>) =>
  Object.fromEntries(Object.entries(labels).map(([value, title]) => [value, { title }]))

/** The conditions that a list can check by itself. The press checks all of them. */
function shownWhen(when: DeclaredCondition, rows: AutomationRows | undefined): Record<string, string[]> {
  const readable = new Set([...(rows?.publicFields ?? []), ...(rows?.openFields ?? [])])
  const properties = (Reflect.get(rows?.row ?? {}, 'properties') ?? {}) as Readonly<Record<string, { type?: unknown }>>
  return Object.fromEntries(
    conditionParts(when).flatMap(part => {
      if (part.kind !== 'value') return []
      const [root, field = '', ...rest] = part.name.split('.')
      const values = valuesOf(part.operators)
      const isShown = root === 'row' && rest.length === 0 && readable.has(field) && properties[field]?.type !== 'array'
      return isShown && values ? [[field, values]] : []
    }),
  )
}

/** Undefined for conditions other than equality, and for values of the run. */
function valuesOf({ eq, in: list, ...others }: Operators): string[] | undefined {
  const values = (eq === undefined ? list : [eq])?.map(String)
  const isSimple = Object.keys(others).length === 0 && (eq === undefined || list === undefined)
  return isSimple && values?.every(value => !value.includes('$') && !value.includes('{{')) ? values : undefined
}
