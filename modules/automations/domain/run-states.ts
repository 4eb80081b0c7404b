/** States of runs and of their steps. */

/**
 * - `running`: its next step is due, or runs.
 * - `waiting`: for a time, an answer, or the next attempt.
 * - `done`: all steps are over.
 * - `ended`: its row is gone.
 * - `skipped`: the date itself is over or has moved, or the condition of the automation doesn't match at its time.
 * - `failed`: a step failed in its last attempt.
 * - `refused`: the plan of the workspace allows no more runs.
 * - `cancelled`: by a person, or because its automation was removed.
 */
export const RUN_STATES = ['running', 'waiting', 'done', 'ended', 'skipped', 'failed', 'refused', 'cancelled'] as const
export type RunState = (typeof RUN_STATES)[number]
export const OPEN_STATES = ['running', 'waiting'] as const satisfies readonly RunState[]

/**
 * - `waiting`: for a time, an answer, or the next attempt.
 * - `passed`: its condition didn't match.
 * - `cancelled`: the run was over before it.
 */
export const STEP_STATES = ['running', 'waiting', 'done', 'passed', 'failed', 'cancelled'] as const
export type StepState = (typeof STEP_STATES)[number]

/** What a step of a run is for people: none is under way in a run that is over. */
export const shownStepState = (state: StepState, isOver: boolean): StepState =>
  isOver && (state === 'running' || state === 'waiting') ? 'cancelled' : state
