/** The sample that a trial starts with: made for an automation, and checked. */

import { didYouMean, isRecord, type TSchema, Type } from '@larder-dev/larder/kernel'
import { formatList } from '@larder-dev/larder/kernel/internal'
import type { Automation } from '../../domain/definition/automation.ts'
import type { DeclaredInputField } from '../../domain/definition/declared.ts'
import { inputObject } from '../../domain/definition/input-fields.ts'
import type { AutomationRows } from '../../ports.ts'
import type { RowKinds } from '../../services/row-kinds.ts'
import { COLLECTION } from '../../services/runs/rows.ts'
import { payloadOf } from '../offered.ts'
import type { Schema } from '../types.ts'
import { SAMPLE_ID, sampleOf } from './sample.ts'
import { meeting } from './sample-conditions.ts'
import { type Check, createCheck } from './value-check.ts'

type Values = Readonly<Record<string, unknown>>

export interface Kinds {
  /** Payloads by type. */
  readonly events: ReadonlyMap<string, Schema>
  readonly rows: RowKinds
}
/** What a run would begin with. */
export interface Given {
  readonly offer: Values
  readonly collection: string | null
  /** Outputs of steps by their names, as the sample assumes them. */
  readonly steps: Values
}

const WORKSPACE = { id: `ten_${SAMPLE_ID}`, name: 'Example', slug: 'example' }
const SAMPLE_TIME = '2026-01-15T09:00:00.000Z'

/** @param type the event, of an automation that starts with several. */
export function makeSample(automation: Automation, { events, rows }: Kinds, type?: string): Values {
  const { trigger, when } = automation
  if (trigger.kind !== 'event') {
    if (type !== undefined) throw new Error(`The automation "${automation.key}" doesn't start with events.`)
    return meeting(when, { ...valuesOf(automation, rows), workspace: WORKSPACE })
  }
  const chosen = type ?? trigger.events[0] ?? ''
  if (!trigger.events.includes(chosen)) throw new Error(otherEvent(automation.key, chosen, trigger.events))
  const payload = sampleOf(events.get(chosen) ?? {}) as Record<string, unknown>
  const event = { id: `evt_${SAMPLE_ID}`, type: chosen, occurredAt: SAMPLE_TIME, subject: `row_${SAMPLE_ID}` }
  const found = rows.ofEvent(chosen)
  if (!found) return meeting(when, { event: { ...event, payload }, workspace: WORKSPACE })
  const { row, previous } = meeting(when, {
    row: rowOf(found.rows),
    ...(found.kind === 'updated' && { previous: rowOf(found.rows) }),
  }) as Readonly<Record<string, Values>>
  const isPublic = ([name]: [string, unknown]) => !found.rows.privateFields.includes(name)
  const shown = (values: Values = {}) => Object.fromEntries(Object.entries(values).filter(isPublic))
  const changed = trigger.changed[0] ?? found.rows.publicFields[0] ?? 'updatedAt'
  return {
    event: {
      ...event,
      payload: {
        row: shown(row),
        ...(found.kind === 'updated' && { changed: [changed], previous: { [changed]: previous?.[changed] ?? null } }),
      },
    },
    ...(found.kind !== 'deleted' && found.rows.privateFields.length > 0 && { row }),
    workspace: WORKSPACE,
  }
}

function valuesOf({ trigger }: Automation, rows: RowKinds): Values {
  const row = (collection: string) => rowOf(rows.all.get(collection))
  if (trigger.kind === 'date') return { date: SAMPLE_TIME, row: row(trigger.collection) }
  if (trigger.kind === 'schedule')
    return { plannedAt: SAMPLE_TIME, ...(isRecord(trigger.each) && { row: row(String(trigger.each.collection)) }) }
  if (trigger.kind === 'button') return { row: row(trigger.on), input: inputOf(trigger.input, true) }
  if (trigger.kind === 'hook') return { input: inputOf(trigger.input, false) }
  return {}
}
const inputOf = (fields: Readonly<Record<string, DeclaredInputField>> = {}, isClosed: boolean): unknown =>
  sampleOf(inputObject(fields, isClosed) as unknown as Schema)
function rowOf(kind: AutomationRows | undefined): Values {
  const row = sampleOf((kind?.row ?? {}) as Schema) as Values
  const references = Object.entries(kind?.references ?? {}).map(([name, to]) => [
    name,
    to === 'member' ? `mem_${SAMPLE_ID}` : `row_${SAMPLE_ID}`,
  ])
  return { ...row, ...Object.fromEntries(references), id: `row_${SAMPLE_ID}` }
}

const otherEvent = (key: string, type: string, known: readonly string[]): string => {
  const hint = didYouMean(type, known)
  return `The automation "${key}" starts with ${formatList(known)}, not with ${type}.${hint ? ` ${hint}` : ''}`
}

/** Throws an Error with a line for each mistake. */
export function readSample(automation: Automation, sample: unknown, kinds: Kinds): Given {
  const { trigger, key } = automation
  if (!isRecord(sample)) throw new Error(`The sample must be an object. ${toPrint(key)}`)
  // An event as it is delivered.
  const given = typeof sample.type === 'string' && 'payload' in sample ? { event: sample } : sample
  const check = createCheck()
  const roots = rootsOf(automation)
  for (const root of Object.keys(given)) if (!roots.includes(root)) check.add(unknownRoot(root, roots))
  const event = trigger.kind === 'event' ? readEvent(automation, given.event, kinds, check) : undefined
  const found = event && kinds.rows.ofEvent(event.type)
  const collection = found?.rows.collection ?? collectionOf(automation)
  const kind = collection === null ? undefined : kinds.rows.all.get(collection)
  const written = given.row ?? event?.payload.row
  if (kind && !isRecord(written)) check.add(`row is missing: a row of ${collection}`)
  if (kind && given.row !== undefined) check.value(partial(kind.row), given.row, 'row')
  const input = trigger.kind === 'button' || trigger.kind === 'hook' ? (given.input ?? {}) : undefined
  if (trigger.kind === 'button') check.value(inputObject(trigger.input ?? {}, true), input, 'input')
  if (trigger.kind === 'hook' && trigger.input) check.value(inputObject(trigger.input, false), input, 'input')
  for (const name of ['date', 'plannedAt'])
    if (given[name] !== undefined) check.value(Type.String({ format: 'date-time' }), given[name], name)
  const names = automation.steps.flatMap(({ as }) => as ?? [])
  const steps = given.steps ?? {}
  if (!isRecord(steps)) check.add('steps must be an object with the outputs of steps by their names')
  else for (const name of Object.keys(steps)) if (!names.includes(name)) check.add(unknownStep(name, names))
  if (given.workspace !== undefined && !isRecord(given.workspace)) check.add('workspace must be an object')
  if (given.previous !== undefined && kind) check.value(partial(kind.row), given.previous, 'previous')
  if (check.mistakes.length > 0) throw new Error([...check.mistakes, toPrint(key)].join('\n'))
  const row = isRecord(written) && kind ? { id: `row_${SAMPLE_ID}`, ...written, [COLLECTION]: collection } : undefined
  return {
    collection,
    steps: steps as Values,
    offer: {
      ...(trigger.kind === 'date' && { date: given.date ?? SAMPLE_TIME }),
      ...(trigger.kind === 'schedule' && { plannedAt: given.plannedAt ?? SAMPLE_TIME }),
      ...(event && { event: { ...event, payload: { ...event.payload, ...(row && { row }) } } }),
      ...(row && { row }),
      ...(found?.kind === 'updated' && {
        previous: given.previous ?? { ...(event?.payload.row as Values), ...(event?.payload.previous as Values) },
      }),
      ...(input !== undefined && { input }),
      workspace: { ...WORKSPACE, ...(given.workspace as Values) },
    },
  }
}

interface GivenEvent {
  readonly type: string
  readonly payload: Values
}

function readEvent(
  { key, trigger }: Automation,
  event: unknown,
  { events, rows }: Kinds,
  check: Check,
): GivenEvent | undefined {
  const types = trigger.kind === 'event' ? trigger.events : []
  if (!isRecord(event)) {
    check.add(`event is missing: an object with type and payload`)
    return undefined
  }
  const { type = types.length === 1 ? types[0] : undefined, payload } = event
  if (typeof type !== 'string') check.add(`event.type is missing: one of ${formatList(types)}`)
  else if (!types.includes(type)) check.add(otherEvent(key, type, types))
  else if (!isRecord(payload)) check.add('event.payload is missing')
  else {
    const isRow = rows.ofEvent(type) !== undefined
    const schema = (payloadOf(type, events, rows) ?? {}) as TSchema
    check.value(isRow ? partial(schema) : schema, payload, 'event.payload')
    const { id = `evt_${SAMPLE_ID}`, occurredAt = SAMPLE_TIME, subject = `row_${SAMPLE_ID}` } = event
    const made = { id, type, occurredAt, subject, payload }
    return made
  }
  return undefined
}

/** A person who writes a sample leaves fields out. */
const partial = (schema: TSchema): TSchema => Type.Unsafe({ ...schema, required: [] })
function collectionOf({ trigger }: Automation): string | null {
  if (trigger.kind === 'date') return trigger.collection
  if (trigger.kind === 'button') return trigger.on
  return trigger.kind === 'schedule' && isRecord(trigger.each) ? String(trigger.each.collection) : null
}

const ROOTS = {
  event: ['event', 'row', 'previous'],
  schedule: ['plannedAt', 'row'],
  date: ['date', 'row'],
  button: ['input', 'row'],
  hook: ['input'],
} as const
const rootsOf = ({ trigger }: Automation): readonly string[] => [...ROOTS[trigger.kind], 'steps', 'workspace']

const unknownRoot = (name: string, known: readonly string[]): string =>
  `Unknown key "${name}". ${didYouMean(name, known) ?? `The sample can have ${formatList(known)}.`}`
const unknownStep = (name: string, known: readonly string[]): string =>
  `No step has the name "${name}". ${didYouMean(name, known) ?? (known.length > 0 ? `Names of steps: ${formatList(known)}.` : 'Name a step with "as".')}`
const toPrint = (key: string): string => `To print a sample, run larder automation samples ${key}.`
