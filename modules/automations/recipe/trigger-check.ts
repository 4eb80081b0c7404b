/** Checks what starts an automation. */
import { didYouMean } from '@larder-dev/larder/kernel'
import { formatList } from '@larder-dev/larder/kernel/internal'
import type { DeclaredAutomation, DeclaredInputField, DeclaredMoment } from '../domain/definition/declared.ts'
import { INPUT_TYPES } from '../domain/definition/input-fields.ts'
import { TRIGGER_WORDS } from '../domain/definition/normalize.ts'
import { cronError, isTimeZone, shortestInterval } from '../domain/times/zoned.ts'
import type { RowKinds } from '../services/row-kinds.ts'
import type { Mistake } from './types.ts'

export interface Known {
  readonly events: readonly string[]
  readonly rows: RowKinds
  /** Undefined if a module failed to load. */
  readonly roles: readonly string[] | undefined
  /** Whether a role can read rows of a collection. */
  canRead(role: string, collection: string): boolean
}
const MIN_INTERVAL = 5 * 60_000

/** @param what plural: `Events`. */
export function unknown(
  code: string,
  kind: string,
  name: string,
  known: readonly string[],
  path: readonly (string | number)[],
): Mistake {
  const hint =
    didYouMean(name, known) ?? (known.length > 0 && known.length <= 20 ? `Known: ${formatList(known)}` : undefined)
  return { path, code, message: `Unknown ${kind} "${name}"`, ...(hint !== undefined && { hint }) }
}

export function triggerMistakes(automation: DeclaredAutomation, known: Known): Mistake[] {
  const words = TRIGGER_WORDS.filter(word => automation[word] !== undefined)
  if (words.length !== 1) {
    const message =
      words.length === 0 ? 'The automation has no trigger' : `An automation has one trigger, not ${formatList(words)}`
    return [{ path: [], code: 'invalid_trigger', message, hint: `Write one of ${formatList(TRIGGER_WORDS)}` }]
  }
  return [
    ...eventMistakes(automation, known),
    ...scheduleMistakes(automation, known),
    ...momentMistakes(automation.before, 'before', known.rows),
    ...momentMistakes(automation.after, 'after', known.rows),
    ...buttonMistakes(automation, known),
    ...misplaced(automation),
    ...inputMistakes(automation.button?.input, ['button', 'input'], known),
    ...inputMistakes(automation.hook?.input, ['hook', 'input'], known),
  ]
}

function eventMistakes({ on, changed = [] }: DeclaredAutomation, { events, rows }: Known): Mistake[] {
  if (on === undefined) return []
  const types = [on].flat()
  const path = (index: number) => (typeof on === 'string' ? ['on'] : ['on', index])
  const found = types.flatMap((type, index) =>
    events.includes(type) ? [] : unknown('unknown_event', 'event', type, events, path(index)),
  )
  const fields = types.flatMap(type => rows.ofEvent(type)?.rows.publicFields ?? [])
  const isUpdate = types.some(type => rows.ofEvent(type)?.kind === 'updated')
  if (changed.length > 0 && !isUpdate && found.length === 0)
    return [{ path: ['changed'], code: 'invalid_trigger', message: 'Only events of updated rows say what changed' }]
  return [
    ...found,
    ...changed.flatMap((field, index) =>
      fields.length === 0 || fields.includes(field)
        ? []
        : unknown('unknown_field', 'field', field, fields, ['changed', index]),
    ),
  ]
}

function scheduleMistakes({ every, timeZone, each }: DeclaredAutomation, { rows }: Known): Mistake[] {
  const mistakes: Mistake[] = []
  if (timeZone !== undefined && !isTimeZone(timeZone)) mistakes.push(noZone(timeZone, ['timeZone']))
  if (typeof each === 'object' && !rows.all.has(each.collection))
    mistakes.push(
      unknown('unknown_collection', 'collection', each.collection, [...rows.all.keys()], ['each', 'collection']),
    )
  if (every === undefined) return mistakes
  const error = cronError(every)
  if (error !== undefined)
    mistakes.push({
      path: ['every'],
      code: 'invalid_schedule',
      message: `"${every}" is no cron expression: ${error}`,
      hint: 'Write minute, hour, day, month and weekday: "0 8 1 * *"',
    })
  else if (shortestInterval(every) < MIN_INTERVAL)
    mistakes.push({
      path: ['every'],
      code: 'invalid_schedule',
      message: 'There must be at least 5 minutes between two runs',
    })
  return mistakes
}

function momentMistakes(moment: DeclaredMoment | undefined, word: 'before' | 'after', rows: RowKinds): Mistake[] {
  if (!moment) return []
  const [collection = '', field = ''] = moment.field.split('.', 2)
  const kind = rows.all.get(collection)
  if (!kind) return [unknown('unknown_collection', 'collection', collection, [...rows.all.keys()], [word, 'field'])]
  const type = kind.dates[field]
  if (type === undefined)
    return [
      unknown(
        'unknown_field',
        'date',
        `${collection}.${field}`,
        Object.keys(kind.dates).map(name => `${collection}.${name}`),
        [word, 'field'],
      ),
    ]
  const mistakes: Mistake[] = []
  if (type === 'date' && moment.at === undefined)
    mistakes.push({
      path: [word],
      code: 'missing_key',
      message: `${moment.field} is a date without a time`,
      hint: 'Add at: "09:00"',
    })
  if (type === 'datetime' && moment.at !== undefined)
    mistakes.push({
      path: [word, 'at'],
      code: 'invalid_option',
      message: `${moment.field} has a time, so at has no meaning`,
    })
  if (moment.timeZone !== undefined && !isTimeZone(moment.timeZone))
    mistakes.push(noZone(moment.timeZone, [word, 'timeZone']))
  return mistakes
}

const noZone = (name: string, path: readonly string[]): Mistake => ({
  path,
  code: 'invalid_time_zone',
  message: `Unknown time zone "${name}"`,
  hint: didYouMean(name, Intl.supportedValuesOf('timeZone')) ?? 'Write a name such as Europe/Berlin',
})

function buttonMistakes({ button }: DeclaredAutomation, { rows, roles, canRead }: Known): Mistake[] {
  if (!button) return []
  const known = [...rows.all.keys()]
  const unreadable = (role: string, index: number): Mistake[] =>
    !roles || !rows.all.has(button.on) || canRead(role, button.on)
      ? []
      : [
          {
            path: ['button', 'roles', index],
            code: 'unreadable_rows',
            severity: 'warning',
            message: `The role "${role}" can't read rows of ${button.on}, so it never sees the button`,
            hint: `Add the role to read under collections.${button.on}.access`,
          },
        ]
  return [
    ...(rows.all.has(button.on)
      ? []
      : [unknown('unknown_collection', 'collection', button.on, known, ['button', 'on'])]),
    ...button.roles.flatMap((role, index) =>
      !roles || roles.includes(role)
        ? unreadable(role, index)
        : unknown('unknown_role', 'role', role, roles, ['button', 'roles', index]),
    ),
  ]
}

const NUMBERS = ['min', 'max', 'minLength', 'maxLength']
const FIELD_OPTIONS = ['type', 'label', 'help', 'required', 'values', 'labels', 'currency', 'to', ...NUMBERS]
/** Option that a type needs. */
const NEEDED: Readonly<Record<string, string>> = { enum: 'values', money: 'currency', reference: 'to' }

function inputMistakes(
  fields: Readonly<Record<string, DeclaredInputField>> | undefined,
  at: readonly string[],
  { rows }: Known,
): Mistake[] {
  return Object.entries(fields ?? {}).flatMap(([name, field]): Mistake[] => {
    const { type } = field
    const here = [...at, name]
    if (!INPUT_TYPES.includes(type)) return [unknown('unknown_type', 'type', type, INPUT_TYPES, [...here, 'type'])]
    const needed = NEEDED[type]
    const misspelled = Object.keys(field).flatMap(option => {
      const hint = FIELD_OPTIONS.includes(option) ? undefined : didYouMean(option, FIELD_OPTIONS)
      return hint ? [{ path: [...here, option], code: 'unknown_key', message: `Unknown key "${option}"`, hint }] : []
    })
    const texts = NUMBERS.filter(option => field[option] !== undefined && typeof field[option] !== 'number')
    return [
      ...misspelled,
      ...(needed !== undefined && field[needed] === undefined
        ? [
            {
              path: here,
              code: 'missing_key',
              message: `A field of type ${type} needs ${needed}`,
              hint: `Add ${needed}`,
            },
          ]
        : []),
      ...(type === 'enum' && field.values !== undefined && !Array.isArray(field.values)
        ? [{ path: [...here, 'values'], code: 'invalid_value', message: 'values must be a list', hint: 'Write [a, b]' }]
        : []),
      ...(type === 'reference' && typeof field.to === 'string' && !rows.all.has(field.to)
        ? [unknown('unknown_collection', 'collection', field.to, [...rows.all.keys()], [...here, 'to'])]
        : []),
      ...texts.map(option => ({
        path: [...here, option],
        code: 'invalid_value',
        message: `${option} must be a number`,
      })),
    ]
  })
}

/** Words that belong to another trigger. */
function misplaced({ on, every, changed, timeZone, each, imports, before, after }: DeclaredAutomation): Mistake[] {
  const report = (word: string, of: string): Mistake => ({
    path: [word],
    code: 'invalid_option',
    message: `"${word}" belongs to an automation with ${of}`,
  })
  return [
    ...(changed !== undefined && on === undefined ? [report('changed', 'on')] : []),
    ...(timeZone !== undefined && every === undefined ? [report('timeZone', 'every')] : []),
    ...(each !== undefined && every === undefined ? [report('each', 'every')] : []),
    ...(imports !== undefined && on === undefined && !before && !after
      ? [report('imports', 'on, before or after')]
      : []),
  ]
}
