import { Link } from '@tanstack/react-router'
import { Icon } from '../components/Icon.tsx'
import { useTexts } from '../locales/index.ts'
import { useAreas } from './areas.ts'

export function Sidebar() {
  const t = useTexts()
  const areas = useAreas()
  return (
    <nav className="sidebar" aria-label={t('navigation')}>
      <Link to="/" activeOptions={{ exact: true }}>
        <Icon name="house" />
        {t('home')}
      </Link>
      {areas.map(({ id, title, entries }) => (
        <section key={id} aria-label={title}>
          <h2>{title}</h2>
          <ul>
            {entries.map(entry => (
              <li key={entry.id}>
                <Link to={entry.path}>
                  <Icon name={entry.icon} />
                  {entry.title}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  )
}
