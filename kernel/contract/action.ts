/** What automations can do: the actions of modules. */
import type { Static, TObject, TSchema } from 'typebox'
import { type LocalText, Type } from '../base/index.ts'
import type { Audience } from './ports/product.ts'

/** What an action receives beside its ports and its input. */
export interface ActionContext {
  /**
   * `run_…:<step>`: the same in each attempt of a step, and in no other step. An action with outside effects sends it along,
   * so that the other system can recognize a repetition.
   */
  readonly key: string
  /** The workspace of the run. An action never works in another. */
  readonly tenantId: string
  /** The key of the automation in the recipe. */
  readonly automation: string
  readonly runId: string
  /** Counts from 1. */
  readonly attempt: number
  /** Aborted at the timeout of the attempt and when the process stops. */
  readonly signal: AbortSignal
}

/** What the check of an action reads of a definition. */
export interface ActionModule {
  readonly key: string
  readonly module: {
    readonly role: 'module' | 'service'
    readonly roles?: Readonly<Record<string, { readonly scope?: 'tenant' | 'platform' }>>
    readonly emails?: URL
  }
}
/** The parts of a recipe that an action reads to check a step. */
export interface ActionRecipe {
  /** The modules of the recipe. */
  readonly modules: readonly ActionModule[]
  /** The services, some of which the recipe may replace. */
  readonly services: readonly ActionModule[]
  /** By their keys. */
  readonly roles: Readonly<Record<string, { readonly scope: 'tenant' | 'platform' }>>
  readonly audience: Audience
  /** False if a module failed to load; then unknown names aren't reported. */
  readonly complete: boolean
  readonly locales: { readonly default: string; readonly available: readonly string[] }
  /** The folder of the recipe, absolute. */
  readonly folder: string
  /** A section of any service or module; undefined if it is absent or not of its type. */
  section(name: string): unknown
  /** Returns false also if a part of the value doesn't match its schema. */
  isEntirelyValid(path: readonly (string | number)[]): boolean
  /** Resolves the path of a file against the recipe file that contains the value at `path`. */
  resolveFile(path: readonly (string | number)[], value: string): string
}

/** What an action says about one step of the recipe. */
export interface StepShape {
  /** Replaces `input`, for example with the fields of the collection that the step names. */
  readonly input?: TSchema
  /** Replaces `output`. */
  readonly output?: TSchema
  readonly mistakes?: readonly StepMistake[]
  /** Types of the events that the step publishes. Automations that start one another are reported. */
  readonly events?: readonly string[]
  /** Names of the fields that the step changes, if its events say which have changed. */
  readonly changes?: readonly string[]
}
/** What an action can ask about the step that it checks. */
export interface CheckedStep {
  /** The collection of a row as the recipe writes it, such as `$row`; undefined if it isn't known. */
  collectionOf(written: unknown): string | undefined
}
/** A mistake in the input of a step. */
export interface StepMistake {
  /** Below the input, such as `['template']`. */
  readonly path: readonly (string | number)[]
  /** Stable, such as `unknown_template`. */
  readonly code: string
  /** A complete sentence without a full stop. */
  readonly message: string
  readonly hint?: string
}

/** `database`: everything that it does commits with the end of its step. `outside`: it reaches another system. */
export type ActionEffects = 'database' | 'outside'

/** The fields of `action`. */
export interface ActionSpec<D, I extends TObject, O extends TSchema> {
  /** Shown in the console: `Send an email`. */
  readonly title: LocalText
  /** One sentence for people who write recipes. */
  readonly description?: LocalText
  /** What the recipe writes. See `RowValue`, `PersonValue` and `literalValue`. */
  readonly input: I
  /** What later steps read as `$steps.<name>`. */
  readonly output?: O
  /**
   * With `database`, `run` is called in a unit of work of the workspace, which ports join: it takes effect exactly once.
   * With `outside`, it is called outside a unit, at least once.
   */
  readonly effects: ActionEffects
  /** Reads the input as the recipe writes it, with its placeholders, while the recipe is checked. Must not throw. */
  readonly check?: (written: Readonly<Record<string, unknown>>, recipe: ActionRecipe, step: CheckedStep) => StepShape
  /** A Problem with a status below 500, other than 429, ends the step without another attempt. */
  readonly run: (deps: D, input: Static<I>, context: ActionContext) => Promise<Static<O>>
}

const ACTION = Symbol.for('larder.action')

/** An action as `action` returns it. */
export interface Action<D = never> {
  readonly title: LocalText
  readonly description?: LocalText
  readonly input: TObject
  readonly output?: TSchema
  readonly effects: ActionEffects
  readonly check?: (written: Readonly<Record<string, unknown>>, recipe: ActionRecipe, step: CheckedStep) => StepShape
  readonly run: (deps: D, input: never, context: ActionContext) => Promise<unknown>
}
/** An action that received the ports of its module: a registration of the kind `actions`. */
export interface BoundAction extends Omit<Action, 'run'> {
  run(input: Readonly<Record<string, unknown>>, context: ActionContext): Promise<unknown>
}

/** Declares an action. Its key under `actions` follows the name of the module: `comms.mail`. */
export function action<D, const I extends TObject, O extends TSchema = TSchema>(spec: ActionSpec<D, I, O>): Action<D> {
  return Object.freeze({ ...spec, [ACTION]: true }) as unknown as Action<D>
}

/** Returns true for a result of `action`, of this copy of the kernel or another. */
export const isAction = (value: unknown): value is Action =>
  typeof value === 'object' && value !== null && ACTION in value

/** A row, as an action receives it. */
export interface ActionRow {
  readonly collection: string
  readonly id: string
}
/** A person, as an action receives them. */
export interface ActionPerson {
  readonly email: string
  /** Null if the recipe or a row gives an address that belongs to no member of the workspace. */
  readonly userId: string | null
  readonly name: string | null
  readonly locale: string | null
  /** Whether a value of the run gives the address, and not an ID or the recipe: a stranger may have written it. */
  readonly isForeign: boolean
}

const VALUE = Symbol('larder.action.value')
type ValueKind = 'row' | 'person' | 'literal' | 'secret'

/** An input that is a row: `$row`, or `$row.project` for a reference. */
export const RowValue = Type.Unsafe<ActionRow>({
  type: 'object',
  required: ['collection', 'id'],
  properties: { collection: { type: 'string' }, id: { type: 'string' } },
  [VALUE]: 'row' satisfies ValueKind,
})
/** An input that is a person: an email address, or the ID of a user or a member of the workspace. */
export const PersonValue = Type.Unsafe<ActionPerson>({
  type: 'object',
  required: ['email'],
  properties: { email: { type: 'string' } },
  [VALUE]: 'person' satisfies ValueKind,
})
/**
 * An input that grants something. The recipe writes it out, or takes the whole value from the `input` of a button or from
 * the answer to an `ask`.
 */
export const literalValue = <T extends TSchema>(schema: T): T => marked(schema, 'literal')
/** A property of an output that is a secret. Later steps can use it. It is stored encrypted, and runs don't show it. */
export const secretValue = <T extends TSchema>(schema: T): T => marked(schema, 'secret')

const marked = <T extends TSchema>(schema: T, kind: ValueKind): T =>
  Object.defineProperties({} as T, {
    ...Object.getOwnPropertyDescriptors(schema),
    [VALUE]: { value: kind, enumerable: true },
  })
/** Which of these an input or a property of an output is; undefined for a value as its schema says. */
export const valueKind = (schema: object): ValueKind | undefined => Reflect.get(schema, VALUE)

/** Whether the recipe writes a text out, without a value of the run. */
export const isWrittenOut = (value: unknown): value is string =>
  typeof value === 'string' && !/^\$[a-zA-Z]/.test(value) && !value.includes('{{')

/** Keys of the roles that members of a workspace can have: those of the recipe and of its modules. */
export const rolesOfWorkspaces = ({ modules, roles }: Pick<ActionRecipe, 'modules' | 'roles'>): readonly string[] =>
  [...modules.flatMap(({ module }) => Object.entries(module.roles ?? {})), ...Object.entries(roles)].flatMap(
    ([key, { scope = 'tenant' }]) => (scope === 'tenant' ? key : []),
  )
