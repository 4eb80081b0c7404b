export const permissions = {
  'content.page.read': 'Read pages',
  'content.page.create': 'Write new pages',
  'content.page.update': 'Change pages, and read drafts',
  'content.page.delete': 'Delete pages',
  'content.page.publish': 'Publish pages and take them back',
  'content.navigation.read': 'Read menus',
  'content.navigation.update': 'Change menus',
  'content.redirect.read': 'Read redirects',
  'content.redirect.create': 'Add redirects',
  'content.redirect.update': 'Change redirects',
  'content.redirect.delete': 'Delete redirects',
} as const
