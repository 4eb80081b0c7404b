import { Nullable, named, publicEvent, Type } from '@larder-dev/larder/kernel'

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
  'automations.run.failed': publicEvent(
    'A run of an automation failed.',
    named(
      'AutomationRunEventData',
      Type.Object({
        runId: Type.String(),
        automation: Type.String(),
        position: Type.Integer(),
        code: Type.String(),
        detail: Type.String(),
      }),
    ),
  ),
  /** The question is sent to those who can answer it. */
  'automations.ask.opened': Asked,
  'automations.ask.closed': Asked,
}
