// Looks whether every link of the site leads somewhere: check.mjs SITE. Files, and anchors within them, of the pages and of the Javadoc.
// Links to other hosts are not followed; those into the Javadoc only when it is there. Prints each that does not, and ends with 1.
import {existsSync, readdirSync, readFileSync, statSync} from 'node:fs'
import {dirname, join, resolve} from 'node:path'

const site = resolve(process.argv[2])
const hasJavadoc = existsSync(join(site, 'api'))

const htmlFiles = (folder) => readdirSync(folder, {withFileTypes: true}).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
        return htmlFiles(path)
    }
    return entry.name.endsWith('.html') ? [path] : []
})

// A page's address has no extension; a folder's is its index.
const files = new Map()
const fileOf = (path) => {
    if (!files.has(path)) {
        files.set(path, [path, `${path}.html`, join(path, 'index.html')].find((file) => existsSync(file) && statSync(file).isFile()))
    }
    return files.get(path)
}

const attributes = (html, name) => [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))]
    .map((match) => match[1].replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'))

const ids = new Map()
const idsOf = (file) => {
    if (!ids.has(file)) {
        ids.set(file, new Set(attributes(readFileSync(file, 'utf8'), 'id')))
    }
    return ids.get(file)
}

const broken = new Set()
let count = 0
const pages = htmlFiles(site)
for (const page of pages) {
    const html = readFileSync(page, 'utf8')
    for (const link of [...attributes(html, 'href'), ...attributes(html, 'src')]) {
        if (/^[a-z]+:/.test(link) || link.startsWith('/api/') && !hasJavadoc) {
            continue
        }
        const [path, anchor] = link.split('#').map(decodeURIComponent)
        const target = path === '' ? page : fileOf(path.startsWith('/') ? join(site, path) : resolve(dirname(page), path))
        count++
        // The theme's own link to the content of a page, which a page that was not found lacks.
        if (target === undefined || anchor && target.endsWith('.html') && !idsOf(target).has(anchor) && !page.endsWith('404.html')) {
            broken.add(`${page.slice(site.length + 1)} → ${link}`)
        }
    }
}
if (pages.length === 0) {
    broken.add(`no pages in ${site}`)
}
console.log(`${pages.length} pages, ${count} links, ${broken.size} broken`)
broken.forEach((link) => console.log(link))
process.exitCode = broken.size === 0 ? 0 : 1
