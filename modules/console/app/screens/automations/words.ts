/** Triggers, conditions and durations in words. */
import { type Api, DAY, fill, HOUR, type LocalText, languageStore, MINUTE, pickText } from '../../public.ts'
import type { Texts } from './texts.ts'

const SECOND = 1000
const UNITS = [
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
  ['second', SECOND],
] as const

/** `2 days`, `1 day, 12 hours`, `3.2 sec`. @param ms milliseconds, at least 0. */
export function durationText(ms: number, unitDisplay: 'long' | 'short' = 'long'): string {
  const language = languageStore.get()
  const text = (value: number, unit: string, maximumFractionDigits = 0) =>
    new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay, maximumFractionDigits }).format(value)
  if (ms < SECOND) return text(ms, 'millisecond')
  if (ms < MINUTE) return text(ms / SECOND, 'second', 1)
  const parts: string[] = []
  let left = ms
  for (const [unit, size] of UNITS) {
    const count = Math.floor(left / size)
    left -= count * size
    if (count > 0) parts.push(text(count, unit))
  }
  return new Intl.ListFormat(language, { style: 'narrow', type: 'unit' }).format(parts.slice(0, 2))
}

export const formatSecond = (instant: string): string =>
  new Intl.DateTimeFormat(languageStore.get(), { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(instant))

const listText = (items: readonly unknown[]): string =>
  new Intl.ListFormat(languageStore.get(), { type: 'disjunction' }).format(items.map(String))

export const localText = (text: unknown): string =>
  typeof text === 'string' ? text : pickText(text as LocalText, languageStore.get(), 'en')

/** One sentence for each condition. */
export function conditionTexts(conditions: Readonly<Record<string, unknown>>, t: Texts): string[] {
  return Object.entries(conditions).flatMap(([name, test]) => {
    const operators = typeof test === 'object' && test !== null ? test : { eq: test }
    return Object.entries(operators).map(([operator, value]) => {
      if (operator === 'exists') return fill(value === false ? t.missing : t.exists, { name })
      const text = t[operator as 'eq']
      return fill(text, { name, value: Array.isArray(value) ? listText(value) : String(value) })
    })
  })
}

interface Settings {
  readonly events?: readonly string[]
  readonly changed?: readonly string[]
  readonly cron?: string
  readonly timeZone?: string
  readonly each?: 'workspaces' | { readonly collection: string } | null
  readonly collection?: string
  readonly field?: string
  readonly offset?: number
  readonly at?: string | null
  readonly on?: string
  readonly roles?: readonly string[]
}

/** What starts an automation, in a sentence, and what narrows it. */
export function triggerTexts({ trigger, startedBy, settings, label }: Api.AutomationDetails, t: Texts): string[] {
  const {
    events = [],
    changed = [],
    cron = '',
    timeZone = '',
    each = null,
    at = null,
    on = '',
    roles,
  }: Settings = settings
  if (trigger === 'event')
    return [
      fill(t.onEvent, { name: listText(events) }),
      ...(changed.length > 0 ? [fill(t.ifChanged, { fields: changed.join(', ') })] : []),
    ]
  if (trigger === 'schedule')
    return [
      fill(t.onSchedule, { cron, zone: timeZone }),
      ...(each === null
        ? []
        : [each === 'workspaces' ? t.forEachWorkspace : fill(t.forEachRow, { name: each.collection })]),
    ]
  if (trigger === 'date') {
    const { offset = 0 }: Settings = settings
    const time = durationText(Math.abs(offset))
    return [
      offset === 0
        ? fill(t.atDate, { name: startedBy })
        : fill(offset < 0 ? t.before : t.after, { time, name: startedBy }),
      ...(at === null ? [] : [fill(t.atTime, { time: at, zone: timeZone })]),
    ]
  }
  if (trigger === 'hook') return [fill(t.onHook, { name: startedBy })]
  return [fill(t.onButton, { label, name: on }), ...(roles ? [fill(t.forRoles, { roles: roles.join(', ') })] : [])]
}

interface AskInput {
  readonly role?: string
  readonly text?: unknown
  readonly choices?: readonly string[]
  readonly timeout?: number
}

/** What a wait or a question says. @param input as written, or as the run resolved it. */
export function waitTexts(action: string, input: unknown, t: Texts): readonly string[] {
  if (typeof input !== 'object' || input === null) return []
  if (action === 'wait') {
    const { for: duration, until } = input as { readonly for?: number; readonly until?: string }
    if (duration !== undefined) return [fill(t.waitsFor, { time: durationText(duration) })]
    if (until === undefined) return []
    return [fill(t.waitsUntil, { time: Number.isNaN(Date.parse(until)) ? until : formatSecond(until) })]
  }
  const { role, text, choices, timeout }: AskInput = input
  return [
    ...(text === undefined ? [] : [localText(text)]),
    ...(role === undefined ? [] : [fill(t.asks, { role })]),
    ...(choices ? [fill(t.answers, { choices: choices.join(', ') })] : []),
    ...(timeout === undefined ? [] : [fill(t.timeout, { time: durationText(timeout) })]),
  ]
}
