/** What automations can do with comms. */
import {
  type ActionRecipe,
  action,
  type Deps,
  didYouMean,
  isRecord,
  isWrittenOut,
  OneOf,
  PersonValue,
  type Registrations,
  type StepMistake,
  Type,
} from '@larder-dev/larder/kernel'
import { withoutLinks } from './domain/foreign-mail.ts'
import { rejectSignedLinks } from './domain/mail-links.ts'
import { assertSendable } from './services/api-sending.ts'

type Needs = Deps<'mailer' | 'mailTemplates' | 'product'>
type TemplateCheck = Registrations['declaredMailTemplates']['constant']

export const actions = {
  mail: action({
    title: { en: 'Send an email', de: 'E-Mail senden' },
    description: {
      en: 'Queues an email from a template, once; a worker delivers it',
      de: 'Reiht eine E-Mail aus einer Vorlage einmal ein; ein Worker stellt sie zu',
    },
    input: Type.Object(
      {
        template: Type.String({
          maxLength: 200,
          description: 'Key of the template',
          examples: ['desk.ticket_received'],
        }),
        to: { ...PersonValue, description: 'An address, or a member or user', examples: ['$row.createdBy'] },
        data: Type.Optional(
          Type.Record(Type.String(), Type.Unknown(), {
            description: 'Values for the template',
            examples: [{ title: '$row.title' }],
          }),
        ),
        category: Type.Optional(
          OneOf(['transactional', 'marketing'], {
            description: 'That of the template by default; marketing can be unsubscribed from',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    output: Type.Object({ messageId: Type.String(), status: OneOf(['queued', 'suppressed']) }),
    effects: 'database',
    check: (written, recipe) => ({ mistakes: templateMistakes(written, recipe) }),
    async run({ mailer, mailTemplates, product }: Needs, input, { key, tenantId }) {
      const { template, to, data = {}, category } = input
      // Values of rows are what callers of the API wrote.
      rejectSignedLinks(data)
      // Counted like emails by API, which leave room for the emails of the product to the same address.
      if (to.isForeign) assertSendable(mailTemplates, template)
      return mailer.send({
        template,
        to: to.email,
        tenantId,
        data: to.isForeign ? withoutLinks(data, [to.email], product.publicUrl) : data,
        key,
        ...(to.locale !== null && { locale: to.locale }),
        ...(category && { category }),
      })
    },
  }),
}

function templateMistakes({ template, data }: Readonly<Record<string, unknown>>, recipe: ActionRecipe): StepMistake[] {
  if (!isWrittenOut(template)) return []
  const known = new Map(templateChecks(recipe).flatMap(check => [...check(recipe)]))
  const found = known.get(template)
  if (found) return dataMistakes(template, found.names, data)
  if (!recipe.complete) return []
  const hint = didYouMean(template, [...known.keys()]) ?? `Add it under emails: ${template}: { template: ./emails/… }`
  return [{ path: ['template'], code: 'unknown_template', message: `Unknown email template "${template}"`, hint }]
}

/** The service that renders templates; none in a product that replaces it by one without a check. */
const templateChecks = ({ services }: ActionRecipe): TemplateCheck[] =>
  services.flatMap(({ module }) =>
    'declaredMailTemplates' in module ? [module.declaredMailTemplates as TemplateCheck] : [],
  )

function dataMistakes(template: string, names: readonly string[], data: unknown): StepMistake[] {
  if (data !== undefined && !isRecord(data)) return []
  const given = Object.keys(data ?? {})
  return names
    .filter(name => !given.includes(name))
    .map(name => {
      const near = didYouMean(
        name,
        given.filter(other => !names.includes(other)),
      )
      return {
        path: data === undefined ? [] : ['data'],
        code: 'missing_data',
        message: `The email template "${template}" needs ${name}`,
        hint: near ? `${near} Write ${name} there` : `Add data: { ${name}: … }`,
      }
    })
}
