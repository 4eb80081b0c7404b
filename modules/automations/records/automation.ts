/** Automations of the running recipe in replies. */
import { listOf, Nullable, named, OneOf, type Static, Time, Type } from '@larder-dev/larder/kernel'
import { RUN_STATES } from '../domain/run-states.ts'
import { TRIGGERS } from './run.ts'

const automation = {
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
}
export const ListedAutomation = named('Automation', Type.Object(automation))
export type ListedAutomation = Static<typeof ListedAutomation>
export const AutomationList = listOf(ListedAutomation)

const Values = (description: string) =>
  Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object', additionalProperties: true, description })

export const DefinedStep = named(
  'AutomationDefinedStep',
  Type.Object({
    position: Type.Integer({ description: 'From 0' }),
    action: Type.String({ description: 'comms.mail, wait, ask' }),
    title: Type.String({ description: 'What it does, in the language of the request' }),
    name: Nullable(Type.String({ description: 'Its name in the recipe' })),
    when: Values('Conditions, by the paths of values'),
    each: Nullable(Type.String({ description: 'A list, for each of whose items it runs' })),
    continues: Type.Boolean({ description: 'Whether the run goes on if it fails' }),
    input: Values('As written in the recipe, without values of the environment'),
  }),
)
export type DefinedStep = Static<typeof DefinedStep>

export const AutomationDetails = named(
  'AutomationDetails',
  Type.Object({
    ...automation,
    settings: Values('What the trigger has in the recipe, without secrets'),
    when: Values('Conditions, by the paths of values'),
    definedSteps: Type.Array(DefinedStep, { description: 'Its steps' }),
  }),
)
export type AutomationDetails = Static<typeof AutomationDetails>
