/** Starts kernels with automations of tickets. */
import { fileURLToPath } from 'node:url'
import { startTestKernel, type TestKernel, type TestKernelOptions } from '../../../testing/index.ts'

export const deskRecipe = (automations: Readonly<Record<string, unknown>>) => ({
  modules: {
    identity: {},
    comms: {},
    collections: {},
    automations: {},
    desk: { use: fileURLToPath(new URL('./desk/module.js', import.meta.url)) },
  },
  collections: {
    tickets: {
      fields: {
        title: { type: 'text', required: true },
        status: { type: 'enum', values: ['open', 'solved'], default: 'open' },
        priority: { type: 'enum', values: ['low', 'high'], default: 'low' },
        count: { type: 'integer' },
        secret: { type: 'text', private: true },
        due: { type: 'datetime' },
        day: { type: 'date' },
        tags: { type: 'json' },
      },
      trash: '30d',
    },
    notes: { fields: { text: { type: 'text', required: true } } },
    labels: { fields: { name: { type: 'text', unique: true } } },
  },
  automations,
})

export const startDesk = (
  automations: Readonly<Record<string, unknown>>,
  options: Omit<TestKernelOptions, 'recipe'> = {},
): Promise<TestKernel> => startTestKernel({ recipe: deskRecipe(automations), ...options })

/** The texts of the notes that actions wrote, the oldest first. */
export async function notesOf(person: { get(path: string): Promise<{ body: unknown }> }): Promise<string[]> {
  const { body } = await person.get('/v1/data/notes?sort=createdAt&limit=200')
  return (body as { data: { text: string }[] }).data.map(({ text }) => text)
}

/** Four steps that write, with a wait between them. */
export const killed = {
  counted: {
    on: 'collections.tickets.created',
    steps: [
      { 'desk.note': { text: '{{row.title}} 0' } },
      { 'desk.note': { text: '{{row.title}} 1' } },
      { wait: '200ms' },
      { 'desk.note': { text: '{{row.title}} 2 {{item}}' }, each: '$row.tags' },
    ],
  },
}

/** A step of each kind. */
export const phased = {
  phased: {
    on: 'collections.tickets.created',
    steps: [
      { 'desk.note': { text: '{{row.title}} 0' } },
      { 'desk.call': { text: '{{row.title}}' } },
      { wait: '50ms' },
      { 'desk.note': { text: '{{row.title}} 1 {{item}}' }, each: '$row.tags' },
      { ask: { role: 'tenant.owner', text: 'Go on?', choices: ['yes'] }, as: 'answer' },
      { 'desk.note': { text: '{{row.title}} 2 {{steps.answer.choice}}' } },
    ],
  },
}
