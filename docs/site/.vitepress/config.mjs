// The site is made of the pages as they lie in the repository: their links work in both.
import {existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {dirname, join, relative, resolve} from 'node:path'
import {fileURLToPath} from 'node:url'
import {defineConfig} from 'vitepress'

// The repository, and a copy of its pages in which the generator runs.
const repository = process.env.SLUICE_ROOT
const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const out = join(repository, 'target/site')

// A page's first heading.
const title = (file) => readFileSync(join(root, file), 'utf8').match(/^# (.+)$/m)?.[1] ?? file

const pages = (folder) => readdirSync(join(root, folder)).filter((name) => name.endsWith('.md') && name !== 'README.md')
    .sort().map((name) => ({text: title(`${folder}/${name}`), link: `/${folder}/${name.replace('.md', '')}`}))

// In the order of the navigation.
const order = [
    'getting-started', 'from-aeron', 'from-aeron-settings', 'delivery', 'channels', 'configuration',
    'pollers-and-threads', 'handlers-and-sbe', 'flow-control', 'slow-consumers', 'back-pressure', 'over-rdma',
    'trust', 'monitoring', 'metrics', 'metrics-of-streams', 'latency', 'operations', 'flight-recorder',
    'containers-and-systemd', 'counters', 'commands', 'troubleshooting', 'messages',
    'messages-values', 'messages-files', 'messages-links', 'messages-devices', 'messages-software', 'messages-verbs',
    'messages-objects', 'messages-scripts',
    'librpma', 'testing-and-soak'
]
const entry = (name) => ({text: title(`docs/guide/${name}.md`), link: `/docs/guide/${name}`})
// The pages of messages are parts of one.
const isPart = (name) => name.startsWith('messages-')
const parts = order.filter(isPart).map(entry).map((part) => ({...part, text: part.text.replace(/^Messages: /, '')}))
const guide = order.filter((name) => !isPart(name)).map((name) => name === 'messages' ? {...entry(name), collapsed: true, items: parts} : entry(name))

// As where the repository is looked at, so that a link with an anchor leads to the same place.
const anchorOf = (heading) => heading.trim().toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-')

// Files and folders that pages link to and that are no pages: files are copied as text, folders as lists of names.
const sources = new Set()

function linkSources(md) {
    const open = md.renderer.rules.link_open
        ?? ((tokens, index, options, env, self) => self.renderToken(tokens, index, options))
    md.renderer.rules.link_open = (tokens, index, options, env, self) => {
        const token = tokens[index]
        const href = token.attrGet('href')
        if (!/^([a-z]+:|#|\/)/.test(href)) {
            const path = relative(root, resolve(dirname(env.path), decodeURI(href.replace(/#.*/, ''))))
            const file = join(repository, path)
            if (/(^|\/)README\.md$/.test(path) && existsSync(file)) {
                // It is the index of its folder, see "rewrites".
                token.attrSet('href', `/${path.replace(/README\.md$/, '')}${href.replace(/^[^#]*/, '')}`)
            } else if (!path.endsWith('.md') && existsSync(file)) {
                const isPage = existsSync(join(file, 'README.md'))
                token.attrSet('href', isPage ? `/${path}/` : `/source/${path}.txt`)
                if (!isPage) {
                    sources.add(path)
                    token.attrSet('target', '_blank')
                }
            }
        }
        return open(tokens, index, options, env, self)
    }
}

const sidebar = [
    {text: 'Guide', items: guide},
    {
        text: 'How it works', items: [
            {text: 'Architecture', link: '/docs/architecture'},
            {text: 'Performance', link: '/docs/performance'},
            {text: 'Calls from callbacks', link: '/docs/reentrancy'},
            {text: 'Verbs: native', link: '/native/'},
            ...pages('native'),
            {text: 'The lab', link: '/native/lab/'},
            {text: 'How the numbers are made', link: '/perf/'},
            ...pages('perf')
        ]
    },
    {text: 'Runs', collapsed: true, items: pages('perf/results')},
    {
        text: 'Decisions', collapsed: true, items: [
            {text: 'All, with what they settle', link: '/docs/decisions/'},
            ...pages('docs/decisions'),
            {text: 'Reports of others, tried here', link: '/docs/tried-reports'}
        ]
    },
    {
        text: 'Project', items: [
            {text: 'Contributing', link: '/CONTRIBUTING'},
            {text: 'Security', link: '/SECURITY'},
            {text: 'Changelog', link: '/CHANGELOG'}
        ]
    },
    {
        text: 'Javadoc', items: ['transport', 'metrics', 'native', 'codec'].map(
            (module) => ({text: module, link: `/api/${module}/index.html`, target: '_blank'}))
    }
]

const links = (items) => items.flatMap((item) => [item.link, ...links(item.items ?? [])])
const listed = new Set(links(sidebar))
const unlisted = readdirSync(root, {recursive: true})
    .filter((file) => file.endsWith('.md') && file !== 'README.md' && !file.includes('node_modules'))
    .filter((file) => !listed.has(`/${file.replace(/(README)?\.md$/, '')}`))
if (unlisted.length > 0) {
    throw new Error(`pages that the sidebar lacks: ${unlisted}`)
}

export default defineConfig({
    title: 'Sluice',
    description: 'An embedded Java messaging transport over RDMA verbs',
    srcDir: root,
    srcExclude: ['**/node_modules/**'],
    outDir: out,
    cacheDir: join(root, '.cache'),
    rewrites: (id) => id.replace(/(^|\/)README\.md$/, '$1index.md'),
    lastUpdated: false,
    markdown: {config: linkSources, anchor: {slugify: anchorOf}},
    themeConfig: {
        search: {provider: 'local'},
        nav: [
            {text: 'Guide', link: '/docs/guide/getting-started'},
            {text: 'Architecture', link: '/docs/architecture'},
            {text: 'Performance', link: '/docs/performance'},
            {text: 'Javadoc', link: '/api/transport/index.html', target: '_blank'}
        ],
        sidebar,
        outline: 'deep'
    },
    buildEnd() {
        for (const path of sources) {
            const file = join(repository, path)
            const copy = join(out, 'source', path + '.txt')
            mkdirSync(dirname(copy), {recursive: true})
            writeFileSync(copy, statSync(file).isDirectory() ? readdirSync(file).sort().join('\n') + '\n' : readFileSync(file))
        }
    }
})
