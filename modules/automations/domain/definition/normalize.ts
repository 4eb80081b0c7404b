/** From what the recipe writes to the normal form. Pure; takes values that match the schema of the section. */
import { milliseconds } from '@larder-dev/larder/kernel'
import {
  type Automation,
  type Automations,
  DEFAULT_ASK_TIMEOUT,
  DEFAULT_RETRY,
  type Step,
  type Trigger,
} from './automation.ts'
import {
  type DeclaredAutomation,
  type DeclaredAutomations,
  type DeclaredMoment,
  type DeclaredStep,
  STEP_WORDS,
} from './declared.ts'

export const normalizeAll = (declared: DeclaredAutomations): Automations =>
  new Map(Object.entries(declared).map(([key, each]) => [key, normalize(key, each)]))

export const normalize = (key: string, declared: DeclaredAutomation): Automation => ({
  key,
  label: declared.label ?? null,
  trigger: triggerOf(declared),
  when: declared.when ?? {},
  imports: declared.imports ?? false,
  steps: declared.steps.map(stepOf),
})

/** Words of which an automation has exactly one. */
export const TRIGGER_WORDS = ['on', 'every', 'before', 'after', 'button', 'hook'] as const

function triggerOf({ on, changed, every, timeZone, each, before, after, button, hook }: DeclaredAutomation): Trigger {
  if (on !== undefined) return { kind: 'event', events: [on].flat(), changed: changed ?? [] }
  if (every !== undefined) return { kind: 'schedule', cron: every, timeZone: timeZone ?? 'UTC', each: each ?? null }
  if (before) return moment(before, -1)
  if (after) return moment(after, 1)
  if (button) return { kind: 'button', ...button }
  if (hook) return { kind: 'hook', ...hook }
  throw new RangeError('The automation has no trigger')
}

function moment({ field, by, at, timeZone }: DeclaredMoment, sign: 1 | -1): Trigger {
  const dot = field.indexOf('.')
  return {
    kind: 'date',
    collection: field.slice(0, dot),
    field: field.slice(dot + 1),
    offset: sign * milliseconds(by),
    at: at ?? null,
    timeZone: timeZone ?? 'UTC',
  }
}

/** The name of the action of a step; undefined for `wait` and `ask`. */
export const actionOf = (step: DeclaredStep): string | undefined =>
  Object.keys(step).find(key => !(STEP_WORDS as readonly string[]).includes(key))

function stepOf(step: DeclaredStep): Step {
  const base = { when: step.when ?? {}, as: step.as ?? null }
  const { wait, ask } = step
  if (wait !== undefined)
    return typeof wait === 'string'
      ? { kind: 'wait', ...base, for: milliseconds(wait), until: null }
      : { kind: 'wait', ...base, for: null, until: wait.until }
  if (ask)
    return {
      kind: 'ask',
      ...base,
      role: ask.role,
      text: ask.text,
      choices: ask.choices,
      timeout: ask.timeout === undefined ? DEFAULT_ASK_TIMEOUT : milliseconds(ask.timeout),
    }
  const action = actionOf(step) ?? ''
  return {
    kind: 'action',
    ...base,
    action,
    input: (step[action] ?? {}) as Readonly<Record<string, unknown>>,
    each: step.each ?? null,
    retry: step.retry ? { times: step.retry.times, within: milliseconds(step.retry.within) } : DEFAULT_RETRY,
    continues: step.onError === 'continue',
  }
}
