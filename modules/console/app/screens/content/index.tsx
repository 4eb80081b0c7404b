import { languageName, productLocales, type Screen } from '../../public.ts'

const editor = () => import('./PageEditor.tsx')
const menu = () => import('./MenuEditor.tsx')

export const screens: readonly Screen[] = [
  ...productLocales.available.map(locale => ({
    command: {
      en: `New page in ${languageName(locale, 'en')}`,
      de: `Seite erstellen: ${languageName(locale, 'de')}`,
    },
    to: '/content/pages/new',
    search: { with: { locale } },
    icon: 'plus',
    area: 'content',
    creates: 'content.pages',
  })),
  { resource: 'content.pages', view: 'list', load: () => import('./PageList.tsx') },
  { resource: 'content.pages', view: 'record', load: editor },
  { resource: 'content.pages', view: 'edit', load: editor },
  { resource: 'content.pages', view: 'create', load: editor },
  { resource: 'content.menus', view: 'list', load: () => import('./MenuList.tsx') },
  { resource: 'content.menus', view: 'record', load: menu },
  { resource: 'content.menus', view: 'edit', load: menu },
  { resource: 'content.redirects', view: 'list', load: () => import('./RedirectList.tsx') },
]
