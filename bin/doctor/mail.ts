/** The way of mail: the server that takes it, and what receivers look up about its sender. */
import { isIP } from 'node:net'
import type { Settings } from '../../kernel/index.ts'
import type { CheckedRecipe } from '../../kernel/recipe/index.ts'
import { type CommsOptions, senderOf } from '../../modules/comms/options.ts'
import type { Finding } from './finding.ts'
import { senderRecords } from './sender-records.ts'
import { smtp } from './smtp.ts'

export async function mail(
  settings: Settings,
  recipe: CheckedRecipe | undefined,
  resolver: Parameters<typeof senderRecords>[1],
  selector?: string,
): Promise<Finding[]> {
  const comms = recipe?.modules.find(({ module }) => module.name === 'comms')
  if (!recipe || !comms) return [{ state: 'skip', what: recipe ? 'the recipe sends no mail' : 'the recipe is invalid' }]
  // They match the schema of the module.
  const options = comms.options as CommsOptions
  const url = options.smtp?.url || (settings.smtpUrl ?? '')
  if (options.transport === 'mailbox' || url === '')
    return [{ state: 'skip', what: 'mail is kept at /mailbox: no SMTP_URL is set' }]
  const publicUrl = settings.publicUrl ?? recipe.product.publicUrl
  const { address } = senderOf(options, { name: recipe.product.name, publicUrl })
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
  const [server, records] = await Promise.all([smtp(url), recordsOf(domain, resolver, selector)])
  return [...server, ...records]
}

const recordsOf = async (
  domain: string,
  ...more: [Parameters<typeof senderRecords>[1], string?]
): Promise<Finding[]> =>
  isIP(domain) !== 0
    ? [{ state: 'skip', what: `the sender's domain is the address ${domain}` }]
    : senderRecords(domain, ...more)
