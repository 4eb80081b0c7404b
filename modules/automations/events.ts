import { Nullable, named, publicEvent, Type } from '@larder-dev/larder/kernel'

/** Without the detail of the error, which may quote private values, and what another system answered. */
const Failed = named(
  'AutomationRunEventData',
  Type.Object({
    runId: Type.String(),
    automation: Type.String(),
    position: Type.Integer(),
    code: Type.String(),
  }),
)
const Asked = named(
  'AutomationAskEventData',
  Type.Object({
    askId: Type.String(),
    runId: Type.String(),
    automation: Type.String(),
    role: Type.String(),
    collection: Nullable(Type.String()),
    rowId: Nullable(Type.String()),
  }),
)

export const events = {
  'automations.run.failed': publicEvent('A run of an automation failed.', Failed),
  /** The question is sent to those who can answer it. */
  'automations.ask.opened': Asked,
  'automations.ask.closed': Asked,
}
