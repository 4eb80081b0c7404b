/** Texts that tenants write to override the product's mail templates. */
import { Nullable, type RecordOf, Time, Type, table } from '@larder-dev/larder/kernel'

export const overrideTable = table(
  'comms_templates',
  Type.Object({
    template: Type.String(),
    locale: Type.String(),
    subject: Type.String(),
    preheader: Nullable(Type.String()),
    html: Type.String(),
    /** Null if it is derived from the HTML. */
    text: Nullable(Type.String()),
    createdAt: Time,
    updatedAt: Time,
  }),
  { what: 'override', key: 'template', hidden: { tenantId: Type.String() } },
)
export type TemplateOverride = RecordOf<typeof overrideTable>
