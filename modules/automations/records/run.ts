/** Runs and their steps in replies and in the database. */
import {
  Bytes,
  idPattern,
  listOf,
  Nullable,
  named,
  OneOf,
  type RecordOf,
  type Static,
  Time,
  Type,
  table,
} from '@larder-dev/larder/kernel'
import { RUN_STATES, STEP_STATES } from '../domain/run-states.ts'

export const TRIGGERS = ['event', 'schedule', 'date', 'button', 'hook'] as const

/** Why a run or a step failed. */
export const RunError = named(
  'AutomationError',
  Type.Object({
    code: Type.String({ description: 'Stable, for programs' }),
    detail: Type.String({ description: 'A sentence' }),
  }),
)

const run = {
  id: Type.String({ pattern: idPattern('run') }),
  tenantId: Type.String({ description: 'The workspace that it acts in' }),
  automation: Type.String({ description: 'Its key in the recipe' }),
  trigger: OneOf(TRIGGERS),
  state: OneOf(RUN_STATES),
  collection: Nullable(Type.String({ description: 'The collection of its row' })),
  rowId: Nullable(Type.String()),
  position: Type.Integer({ description: 'The step that is next, from 0' }),
  wakesAt: Nullable(Time),
  error: Nullable(RunError),
  createdAt: Time,
  finishedAt: Nullable(Time),
}
export const Run = named('AutomationRun', Type.Object(run))

const Json = Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object', additionalProperties: true })

export const runTable = table('automations_runs', Type.Object(run), {
  what: 'run',
  hidden: {
    digest: Type.String(),
    key: Type.String(),
    input: Json,
    depth: Type.Integer(),
    cause: Json,
  },
})
export type RunRecord = RecordOf<typeof runTable>

const step = {
  position: Type.Integer({ description: 'From 0' }),
  item: Type.Integer({ description: 'The item of a step with each, from 0; -1 without each' }),
  name: Nullable(Type.String({ description: 'Its name in the recipe' })),
  action: Type.String({ description: 'comms.mail, wait, ask' }),
  state: OneOf(STEP_STATES),
  attempts: Type.Integer(),
  input: Nullable(Type.Unsafe<unknown>({ description: 'With its values, as the action received it' })),
  output: Nullable(Type.Unsafe<unknown>({ description: 'What the action returned' })),
  error: Nullable(RunError),
  startedAt: Time,
  finishedAt: Nullable(Time),
}
export const stepTable = table('automations_steps', Type.Object(step), {
  what: 'step',
  key: 'position',
  hidden: { tenantId: Type.String(), runId: Type.String(), sealed: Nullable(Bytes), outputBytes: Type.Integer() },
})
export type StepRecord = RecordOf<typeof stepTable>

const shownStep = { ...step, title: Type.String({ description: 'What it does, in the language of the request' }) }
export const Step = named('AutomationStep', Type.Object(shownStep))
/** A step that has not begun. */
const NextStep = named(
  'AutomationNextStep',
  Type.Object({ position: step.position, name: step.name, action: step.action, title: shownStep.title }),
)
export const RunDetails = named(
  'AutomationRunDetails',
  Type.Object({
    ...run,
    input: Type.Unsafe<Readonly<Record<string, unknown>>>({
      type: 'object',
      additionalProperties: true,
      description: 'What the trigger offered: the event, or the input',
    }),
    steps: Type.Array(Step, { description: 'Those that have begun. Fields that the caller may not read are hidden' }),
    next: Type.Array(NextStep, { description: 'Those that follow, if the run is under way, or can be retried' }),
  }),
)
export type RunDetails = Static<typeof RunDetails>
export const RunList = listOf(Run)
