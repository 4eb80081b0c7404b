/** Automations of the running recipe in replies. */
import { listOf, Nullable, named, OneOf, type Static, Time, Type } from '@larder-dev/larder/kernel'
import { RUN_STATES } from '../domain/run-states.ts'
import { TRIGGERS } from './run.ts'

export const ListedAutomation = named(
  'Automation',
  Type.Object({
    key: Type.String({ description: 'Its name in the recipe' }),
    label: Type.String({ description: 'In the language of the request' }),
    trigger: OneOf(TRIGGERS),
    startedBy: Type.String({
      description: 'Events, a cron expression, a date, the collection of the button, or the path of the hook',
    }),
    steps: Type.Integer({ description: 'Number of steps' }),
    lastState: Nullable(OneOf(RUN_STATES)),
    lastRunAt: Nullable(Time),
    successRate: Nullable(
      Type.Number({ minimum: 0, maximum: 1, description: 'Of the last 100 runs that are done or failed' }),
    ),
    open: Nullable(Type.Integer({ description: 'Runs that are under way or wait, of the last 100' })),
    nextAt: Nullable(Type.Unsafe<Date>({ ...Time, description: 'When it starts next, if that depends on a time' })),
  }),
)
export type ListedAutomation = Static<typeof ListedAutomation>
export const AutomationList = listOf(ListedAutomation)
