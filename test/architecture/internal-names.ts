/**
 * What shipped modules import from `@larder-dev/larder/kernel/internal`, which modules of teams don't. The list may only
 * shrink: a module that needs another name gets it from a port, from its own folder, or from the public entry.
 */

export interface InternalNames {
  readonly reason: string
  /** Module → names. */
  readonly names: Readonly<Record<string, readonly string[]>>
}

export const INTERNAL_NAMES: readonly InternalNames[] = [
  {
    reason: 'authenticates requests for the HTTP service',
    names: {
      console: ['TENANT_PARAMETER', 'tenantCookie'],
      identity: [
        'Actor',
        'Authentication',
        'Authenticator',
        'CookieAttributes',
        'LOGIN_COOKIE',
        'Membership',
        'Precondition',
        'Principal',
        'RevokedAccess',
        'TENANT_COOKIE',
        'TenantChoice',
        'readCookie',
        'setCookie',
        'tenantCookie',
      ],
      messaging: ['TENANT_PARAMETER'],
    },
  },
  {
    reason: 'compares permissions that the recipe, roles or the operator name',
    names: {
      automations: ['anyCovers'],
      collections: ['AccessCatalogue', 'Membership', 'anyCovers', 'covers'],
      console: ['Guard', 'anyCovers', 'grantedTo', 'guardOf'],
      content: ['permissionHint'],
      identity: ['AccessCatalogue', 'PERMISSION_PATTERN', 'PermissionEntry', 'RoleEntry', 'anyCovers', 'covers'],
      platform: ['grantedTo', 'guardOf'],
    },
  },
  {
    reason: 'reads the host and port of a URL',
    names: {
      identity: ['isThisMachine', 'parseTarget'],
      webhooks: ['MAX_URL_LENGTH', 'Target', 'parseTarget'],
    },
  },
  {
    reason: 'cleans or compares names, addresses and languages of people as other modules do',
    names: {
      billing: ['localTextOf', 'negotiateLocale'],
      collections: ['acceptedLocale', 'cleanAddress', 'folded', 'localTextOf', 'slugOf'],
      comms: ['RequiredText', 'asciiAddress', 'cleanAddress', 'containsEncodedWord', 'emailKey', 'matchLocale'],
      content: ['localTextOf', 'matchLocale', 'pickTranslation'],
      forms: ['cleanAddress', 'negotiateLocale'],
      identity: [
        'acceptedLocale',
        'addressKey',
        'asciiAddress',
        'emailKey',
        'folded',
        'isAppScheme',
        'likeContaining',
        'randomText',
        'slugOf',
        'unlinked',
      ],
      messaging: ['RequiredText'],
      sessions: ['randomText'],
    },
  },
  {
    reason: 'validates values against schemas that a recipe or another server declares',
    names: {
      automations: [
        'Conditions',
        'FieldErrors',
        'Operators',
        'TENANT_PARAMETER',
        'conditionParts',
        'conditionShape',
        'conditionsSchema',
        'createValidator',
        'extendAjv',
        'fieldErrors',
        'formatList',
        'idempotencyKey',
        'parseJson',
      ],
      billing: ['createValidator'],
      collections: [
        'Conditions',
        'FieldErrors',
        'MAX_CONDITION_DEPTH',
        'Operators',
        'Scalar',
        'conditionParts',
        'conditionSchema',
        'conditionShape',
        'conditionsSchema',
        'createCursorMark',
        'escapePointer',
        'extendAjv',
        'fieldErrors',
        'formatList',
        'idempotencyKey',
        'isExactNumber',
        'malformed',
        'parseJson',
        'textError',
        'withSuggestion',
      ],
      comms: ['FieldErrors'],
      content: ['textError'],
      features: ['Operators', 'Scalar', 'conditionSchema', 'dotted'],
      forms: ['VISIBLE_KEYWORD', 'escapePointer', 'extendAjv', 'fieldErrors', 'isExactNumber', 'parseJson'],
      identity: ['VISIBLE_KEYWORD', 'createValidator'],
      media: ['createValidator'],
      messaging: ['createValidator'],
    },
  },
  {
    reason: 'computes with amounts of money',
    names: {
      billing: ['decimalAmount', 'isCurrency'],
      collections: [
        'AmountFault',
        'currencyDigits',
        'decimalAmount',
        'isCurrency',
        'parseAmount',
        'readAmount',
        'signsOf',
        'splitCurrency',
      ],
    },
  },
  {
    reason: 'ships what only the operator sets up: optional packages, errors on a terminal',
    names: {
      billing: ['Actor', 'Migrator', 'defineOperatorErrors', 'importOptional'],
      collections: ['OptionalPackage', 'defineOperatorErrors'],
      comms: ['defineOperatorErrors'],
      identity: ['OptionalPackage', 'defineOperatorErrors', 'importOptional'],
    },
  },
  {
    reason: 'asks people for a proof of work',
    names: {
      collections: ['ProofChallenge', 'ProofFault', 'createProofOfWork', 'proofSolution'],
      identity: ['ProofChallenge', 'createProofOfWork', 'proofSolution'],
    },
  },
  {
    reason: 'renders HTML, pages or mail templates',
    names: {
      collections: ['CONSOLE_LANGUAGES', 'DataShape', 'PageDataCheck', 'escapeHtml'],
      comms: ['LocalMailText', 'MailTemplateInfo', 'templateProblems'],
      console: ['CONSOLE_LANGUAGES', 'bundleScript'],
      content: ['FileReadError', 'createReadBudget', 'readText', 'resolveInside', 'safeUrl'],
    },
  },
  {
    reason: 'processes events of providers, or describes the events of every module',
    names: {
      billing: ['StoredInboxEvent'],
      comms: ['StoredInboxEvent'],
      platform: ['PublicEvent', 'publicEventsOf'],
      webhooks: ['PublicEvent', 'nameOf', 'publicEventsOf'],
    },
  },
  {
    reason: 'shows the operator the modules and their pending work',
    names: {
      content: ['ModuleReport'],
      platform: ['DeadJob', 'DeliveryRecord', 'Inspector', 'ModuleReport', 'docsOf', 'firstId', 'wholeSchema'],
    },
  },
  {
    reason: 'speaks a socket protocol that is older than topics',
    names: {
      messaging: ['TopicFeed'],
      streams: ['FrameError', 'REALTIME_PING_INTERVAL_MS', 'REALTIME_PROTOCOL_VERSION', 'RealtimeEndpoint'],
    },
  },
]
