/** The registration that this module adds: records that the console lists and edits. Types only. */
import type { Caller, LocalText } from '@larder-dev/larder/kernel'

export type NavigationGroup = 'people' | 'content' | 'money' | 'messages' | 'product' | 'platform'

/**
 * A kind of record that the console lists and edits. Operations are named by the `operationId` of the API document;
 * forms and column types come from their schemas. Titles in English are translated by the files in `locales/`.
 */
export interface Resource {
  /** Plural; the last segment of the URL: `/console/content/pages`. Unique in its module. */
  readonly name: string
  /**
   * Group of the console's navigation that lists the resources and screens of the module, if they don't have one of their
   * own. The first resource that has a group names it for the others.
   */
  readonly group?: NavigationGroup
  /** `Pages`. */
  readonly title: LocalText
  /** `Page`. */
  readonly singular: LocalText
  /** Label of the button that creates a record, if it isn't `Create page`: `Send email`. */
  readonly createTitle?: LocalText
  /** Property that names a record. */
  readonly label: string
  /** Property that identifies a record in paths; `id` by default. */
  readonly key?: string
  /** Name of a Lucide icon, e.g. `file-text`. */
  readonly icon?: string
  readonly operations: ResourceOperations
  /** Properties of the listed rows (`a.b` for nested ones), in order. */
  readonly columns: readonly string[]
  /** Query parameters of the list that the screen offers as filters, as search, as sort. */
  readonly filters?: readonly string[]
  readonly search?: string
  readonly sort?: string
  readonly actions?: readonly ResourceAction[]
  readonly relations?: readonly ResourceRelation[]
  /** Order of the form's fields; the order of the request schema by default. */
  readonly fields?: readonly string[]
  /** Fields that the form of a new record shows under *More*: those that few people set. */
  readonly more?: readonly string[]
  /** Labels of properties and parameters; by default made from their names, `createdAt` → `Created`. */
  readonly labels?: Readonly<Record<string, LocalText>>
  /** Descriptions in request schemas, in English, with translations that the files in `locales/` don't have. */
  readonly hints?: readonly LocalText[]
  /**
   * Property → its values in words: shown as badges, and offered by filters. By default they are made from the values that
   * the schemas name: `past_due` → `past due`, a text that the files in `locales/` translate.
   */
  readonly states?: Readonly<Record<string, Readonly<Record<string, ResourceState>>>>
  /** Records that people can neither edit nor delete, such as those of the recipe. */
  readonly readOnly?: {
    /** Property → values of these records. */
    readonly when: Readonly<Record<string, readonly string[]>>
    /** Shown on such a record. Says where it is changed; text in backticks is code. */
    readonly text: LocalText
  }
  /** Whether it has an effect in the operator's workspace only. The console doesn't offer it in others. */
  readonly operatorOnly?: boolean
  /** Seconds after which a list that is shown is loaded again; by default it isn't. */
  readonly refreshSeconds?: number
  /** `<module>.<name>` of the parent. The list's path parameters come from its record: shown only as a relation. */
  readonly within?: string
  /** Whether the navigation leaves it out, because other resources list the same records. Links lead to its records. */
  readonly isUnlisted?: boolean
}

export interface ResourceOperations {
  readonly list: string
  readonly get?: string
  readonly create?: string
  readonly update?: string
  readonly delete?: string
}

export interface ResourceState {
  readonly title: LocalText
  /** Color of the badge; none by default. `plain`: text without a badge. */
  readonly tone?: 'success' | 'warning' | 'danger' | 'plain'
}

/** An operation on the list or on one record, whose key is then the last path parameter. */
export interface ResourceAction {
  readonly operation: string
  readonly title: LocalText
  /** Whether it deletes or interrupts something. */
  readonly danger?: boolean
  /** Question that is asked first. */
  readonly confirm?: LocalText
  /** Property → values of the records that have the action; all by default. */
  readonly when?: Readonly<Record<string, readonly string[]>>
  /** Whether a caller to whom `allow` of the operation is open sees it. All by default. */
  readonly offeredTo?: (caller: Caller) => boolean
  /** `record` by default. */
  readonly on?: 'record' | 'list'
  /**
   * Property of the body → property of the record: the form asks for the others. The path needs no key of the record then.
   */
  readonly body?: Readonly<Record<string, string>>
  /** Whether the page of a record shows it as a button instead of in its menu. */
  readonly isButton?: boolean
  /** Shown when it has succeeded; `<title>: done` by default. */
  readonly done?: LocalText
  /** Texts of its form, in the place of the resource's. */
  readonly labels?: Resource['labels']
  readonly hints?: Resource['hints']
  readonly states?: Resource['states']
}

/** What a module adds to the records of another one. */
export interface ResourceAddition {
  /** `<module>.<name>`; left out in a product without that module. */
  readonly to: string
  readonly actions?: readonly ResourceAction[]
  readonly relations?: readonly ResourceRelation[]
}

/** A list that belongs to a record. */
export interface ResourceRelation {
  /** `<module>.<name>`; left out in a product without that module. */
  readonly resource: string
  /** Path or query parameter of that list → property of the record. */
  readonly parameters: Readonly<Record<string, string>>
}

/** A kind of record in the operator's search over all workspaces, `GET /v1/platform/search`. */
export interface SearchSource {
  /** Unique in its module. */
  readonly name: string
  /** `People`. */
  readonly title: LocalText
  /** A permission of scope `platform`. Callers without it get no results of this source. */
  readonly allow: string
  /** `<module>.<name>` of the resource whose record a result is. */
  readonly resource?: string
  /** @param words trimmed, from 1 to 200 characters, in any language; also `%` and quotes. Returns the best results first. */
  find(words: string, limit: number): Promise<readonly SearchHit[]>
}
export interface SearchHit {
  readonly id: string
  /** A name, for people. */
  readonly title: string
  readonly detail: string | null
  /** Null for a record of no workspace. */
  readonly tenantId: string | null
}

/** How the console names records whose IDs have a prefix: a person instead of `usr_…`. See `GET /v1/platform/names`. */
export interface NamedRecords {
  /** `ten` of `ten_…`. */
  readonly prefix: string
  /** `Workspace`. Shown for a record that the caller can't read, or that no longer exists. */
  readonly title: LocalText
  /** `<module>.<name>` of the resource whose record it is. */
  readonly resource?: string
  /** Left out if the names of these records are shown to nobody by their IDs alone. */
  readonly names?: QueriedNames | NameFinder
}

export interface QueriedNames {
  /** Lets a caller read the names in the current workspace. */
  readonly allow: string
  /** A permission of scope `platform`, with which the caller reads the names of every workspace. */
  readonly allowAll?: string
  /**
   * A query with the IDs as `$1` whose rows have `id`, `name` and, if the resource has another key than `id`, `key`.
   * Row-level security limits it to the current workspace, unless the caller has `allowAll`.
   */
  readonly sql: string
  /** Whether `sql` reads tables of no tenant. It then has the workspace as `$2`, null for all, and limits itself. */
  readonly isSystem?: boolean
}

/** Names of those of the records that the caller may read, where a permission alone doesn't say which they are. */
export type NameFinder = (ids: readonly string[], caller: Caller, tenantId: string) => Promise<readonly NamedRow[]>

export interface NamedRow {
  readonly id: string
  /** Null if the caller may read the record without its name. */
  readonly name: string | null
  /** Undefined if the record is identified by its ID. */
  readonly key?: string
  /** Whether the caller may read the record, but not who created it. */
  readonly hidesAuthor?: boolean
}

/** Property of records → its values in words, such as `templateKey` → `identity.welcome` → `Welcome`. */
export type ValueWords = Readonly<Record<string, Readonly<Record<string, LocalText>>>>

/** Problems that operators see on the home screen of the console. */
export interface FindingSource {
  /** One sentence for each problem. Doesn't reject. */
  list(): Promise<readonly string[]>
}

declare module '@larder-dev/larder/kernel' {
  interface Registrations {
    /** Problems that only the running product can find, in addition to those of `diagnose`. */
    findings: readonly FindingSource[]
    /** Names of records by their IDs. */
    names: readonly NamedRecords[]
    /**
     * The type of an event → the permission that activity about it takes, where the right to read the name of the record
     * is not enough, such as for a change of a draft.
     */
    activityPermissions: { readonly [E in keyof Events]?: string }
    /** Keys in words, in the records of every module. */
    words: ValueWords
    /** Results of the operator's search. */
    search: readonly SearchSource[]
    /** Records that the console lists and edits. */
    resources: readonly Resource[]
    /** Actions and lists on records of other modules. */
    resourceAdditions: readonly ResourceAddition[]
  }
}
