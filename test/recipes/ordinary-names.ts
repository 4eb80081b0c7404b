/** Names that people give to things, and names that have a meaning somewhere else. */

/** What every object of JavaScript has. */
export const OBJECT = [
  ...['__defineGetter__', '__proto__', 'hasOwnProperty', 'isPrototypeOf', 'propertyIsEnumerable', 'toJSON'],
  ...['toLocaleString', 'toString', 'valueOf'],
]
const SQL = [
  ...['all', 'analyse', 'and', 'any', 'as', 'case', 'cast', 'check', 'column', 'default', 'desc', 'distinct', 'end'],
  ...['false', 'from', 'grant', 'group', 'having', 'index', 'limit', 'not', 'null', 'offset', 'on', 'or', 'order'],
  ...['primary', 'public', 'select', 'table', 'to', 'union', 'user', 'where'],
]
const PATHS = [
  ...['aggregate', 'batch', 'billing', 'console', 'content', 'data', 'docs', 'exports', 'forms', 'history', 'identity'],
  ...['imports', 'media', 'platform', 'realtime', 'schema', 'search', 'trash', 'v1', 'webhooks'],
]
const JAVASCRIPT = [
  ...['arguments', 'async', 'await', 'class', 'constructor', 'delete', 'eval', 'function', 'length', 'name', 'new'],
  ...['prototype', 'return', 'then', 'this', 'typeof', 'undefined', 'var', 'with', 'yield'],
]
/** Words of SQL, of the API's paths and of JavaScript. */
export const MEANINGFUL = [...SQL, ...PATHS, ...JAVASCRIPT, ...OBJECT]

/** Each is the name of one collection. */
export const NOUNS = [
  ...['accounts', 'actions', 'activities', 'addresses', 'answers', 'articles', 'assets', 'attachments', 'authors'],
  ...['badges', 'bookings', 'books', 'brands', 'calls', 'campaigns', 'carts', 'categories', 'channels', 'checkouts'],
  ...[
    'comments',
    'companies',
    'contacts',
    'contracts',
    'conversations',
    'countries',
    'courses',
    'credits',
    'customers',
  ],
  ...[
    'devices',
    'documents',
    'domains',
    'emails',
    'employees',
    'endpoints',
    'entitlements',
    'entries',
    'errors',
    'events',
  ],
  ...[
    'files',
    'flags',
    'folders',
    'groups',
    'invitations',
    'invoices',
    'items',
    'jobs',
    'keys',
    'languages',
    'layouts',
  ],
  ...[
    'lessons',
    'lists',
    'locations',
    'logins',
    'logs',
    'markets',
    'members',
    'memberships',
    'menus',
    'messages',
    'modules',
  ],
  ...['news', 'notes', 'notifications', 'offers', 'options', 'orders', 'pages', 'participants', 'payments', 'people'],
  ...[
    'permissions',
    'plans',
    'problems',
    'products',
    'profiles',
    'projects',
    'questions',
    'records',
    'redirects',
    'replies',
  ],
  ...[
    'reports',
    'resources',
    'responses',
    'reviews',
    'roles',
    'rooms',
    'rows',
    'series',
    'services',
    'sessions',
    'settings',
  ],
  ...[
    'statuses',
    'streams',
    'submissions',
    'subscriptions',
    'suppressions',
    'tags',
    'tasks',
    'teams',
    'templates',
    'tenants',
  ],
  ...[
    'tickets',
    'tokens',
    'topics',
    'updates',
    'uploads',
    'users',
    'values',
    'variables',
    'versions',
    'views',
    'webhooks',
  ],
]

/** Names of collections that join the name of another one and a word of the API. */
export const JOINED = [
  ...['created_orders', 'deleted_orders', 'new_orders', 'changed_orders', 'order_groups', 'order_items', 'order_lists'],
  ...['order_versions', 'orders_data', 'data_orders', 'list_of_orders', 'order_events', 'order_inputs'],
]

export const FIELD_NAMES = [
  ...[
    'body',
    'data',
    'description',
    'error',
    'filter',
    'headers',
    'item',
    'itemStatus',
    'items',
    'label',
    'list',
    'params',
  ],
  ...[
    'path',
    'q',
    'query',
    'request',
    'response',
    'result',
    'row',
    'sort',
    'state',
    'status',
    'title',
    'total',
    'type',
  ],
  ...[
    'cursor',
    'expand',
    'fields',
    'include',
    'nextCursor',
    'render',
    'required',
    'token',
    'value',
    'version',
    'website',
  ],
]
