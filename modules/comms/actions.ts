/** What automations can do with comms. */
import { action, type Deps, OneOf, PersonValue, Type } from '@larder-dev/larder/kernel'

export const actions = {
  mail: action({
    title: { en: 'Send an email', de: 'E-Mail senden' },
    description: 'Queues an email from a template, once; a worker delivers it',
    input: Type.Object({
      template: Type.String({ maxLength: 200, description: 'Key of the template', examples: ['ticket-received'] }),
      to: { ...PersonValue, description: 'An address, or a member or user', examples: ['$row.createdBy'] },
      data: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), {
          description: 'Values for the template',
          examples: [{ title: '$row.title' }],
        }),
      ),
      category: Type.Optional(
        OneOf(['transactional', 'marketing'], { description: 'That of the template by default' }),
      ),
    }),
    output: Type.Object({ messageId: Type.String() }),
    effects: 'database',
    async run({ mailer }: Deps<'mailer'>, { template, to, data = {}, category }, { key, tenantId }) {
      const { messageId } = await mailer.send({
        template,
        to: to.email,
        tenantId,
        data,
        key,
        ...(to.locale !== null && { locale: to.locale }),
        ...(category && { category }),
      })
      return { messageId }
    },
  }),
}
