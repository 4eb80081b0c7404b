import { useQueryClient } from '@tanstack/react-query'
import { useStore } from '../browser/store.ts'
import { initialsOf } from '../components/Avatar.tsx'
import { Button } from '../components/Button.tsx'
import { LazyMenu } from '../components/LazyMenu.tsx'
import type { MenuItem } from '../components/Menu.tsx'
import { signOut, useMe } from '../data/session.ts'
import { chooseLanguage, LANGUAGES, languageName, languageStore, useTexts } from '../locales/index.ts'
import { chooseTheme, type Theme, themeStore } from './theme.ts'

const THEMES = { system: 'themeSystem', light: 'themeLight', dark: 'themeDark' } as const

export function AccountMenu() {
  const t = useTexts()
  const client = useQueryClient()
  const { data: me } = useMe()
  const theme = useStore(themeStore)
  const language = useStore(languageStore)
  const name = me?.user.name ?? me?.user.email ?? t('account')
  const items: MenuItem[] = [
    { id: 'account', text: t('accountSettings'), icon: 'circle-user', onAction: () => location.assign('/account') },
    { id: 'docs', text: t('apiReference'), icon: 'code', onAction: () => location.assign('/docs') },
    ...Object.entries(THEMES).map(([id, key]) => ({
      id,
      text: `${t('theme')}: ${t(key)}`,
      icon: id === theme ? 'check' : 'sliders-horizontal',
      onAction: () => chooseTheme(id as Theme),
    })),
    ...LANGUAGES.map(id => ({
      id,
      text: `${t('language')}: ${capitalized(languageName(id, id), id)}`,
      icon: id === language ? 'check' : 'globe',
      onAction: async () => {
        await chooseLanguage(id)
        // The API translates titles.
        client.invalidateQueries()
      },
    })),
    { id: 'sign-out', text: t('signOut'), icon: 'arrow-left', onAction: signOut },
  ]
  return (
    <LazyMenu
      label={t('account')}
      trigger={
        <Button kind="quiet" aria-label={`${t('account')}: ${name}`}>
          <span className="avatar" aria-hidden="true">
            {initialsOf(name)}
          </span>
        </Button>
      }
      items={items}
    />
  )
}

const capitalized = (name: string, language: string): string =>
  name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
