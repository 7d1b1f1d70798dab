use lookalike_core::random;
use rand::{Rng, RngExt};

use super::{Vocabulary, ZipfText};
use crate::{Error, STOP_WORDS};

/// Pages of news sites: articles in prose, with advertisements and menus around them that hold no prose.
///
/// Each article comes five times, as groups of pairs: on its own page; with other advertisements; cropped to its
/// first part, and wrapped in another site's frame, both with other advertisements; and its advertisements once more
/// with another article. Half of the words of an article are stop words, none of an advertisement's: that is what
/// [stop-word shingles](crate::Shingle::StopWords) go by.
///
/// ```
/// use lookalike_minhash::generate::News;
///
/// let news = News::new(3, 7)?;
/// assert_eq!(news.pages().count(), 15);
/// let (name, pairs) = news.groups().next().unwrap();
/// assert_eq!((name, &pairs[..2]), ("same article, other advertisements", &[(0, 1), (5, 6)][..]));
/// # Ok::<(), lookalike_minhash::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct News {
    articles: u32,
    seed: u64,
    text: ZipfText,
}

/// A page of [`News`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// What it is: the number of its article and the way it is shown.
    pub name: String,
    /// The text.
    pub text: String,
}

/// Words of an article.
const ARTICLE: usize = 240;
/// Words of it between two advertisements.
const PARAGRAPH: usize = 40;
/// Words of an advertisement.
const AD: usize = 40;
/// Words of a menu, before and after the article.
const MENU: usize = 30;
/// The share of an article that a cropped copy has.
const CROPPED: f64 = 0.6;
/// The pages of an article: the first, and one for each group.
const PAGES: u32 = 5;
const GROUPS: [&str; 4] = [
    "same article, other advertisements",
    "cropped copy, other advertisements",
    "wrapped copy, other advertisements",
    "same advertisements, other article",
];

impl News {
    /// Pages about this many articles, at least one.
    pub fn new(articles: u32, seed: u64) -> Result<Self, Error> {
        if !(1..=u32::MAX / PAGES).contains(&articles) {
            let expected = "from 1 to 2^32 / 5";
            return Err(Error::parameter("articles", articles, expected));
        }
        let text = ZipfText::new(Vocabulary::new(20_000, seed)?, 1.0)?;
        Ok(Self {
            articles,
            seed,
            text,
        })
    }

    /// All pages, five an article.
    pub fn pages(&self) -> impl Iterator<Item = Page> {
        (0..self.articles)
            .flat_map(move |article| (0..PAGES).map(move |way| self.page(article, way)))
    }

    /// The pairs of pages, by what their pages have in common.
    pub fn groups(&self) -> impl Iterator<Item = (&'static str, Vec<(u32, u32)>)> {
        let pairs = |way: u32| {
            let first = |article: u32| article * PAGES;
            let articles = 0..self.articles;
            articles.map(|it| (first(it), first(it) + way)).collect()
        };
        (1..).zip(GROUPS).map(move |(way, name)| (name, pairs(way)))
    }

    fn page(&self, article: u32, way: u32) -> Page {
        // Parts are drawn from seeds of their own: what two pages share is equal word by word.
        let seed = |part: u64, number: u32| {
            random::derive(random::derive(self.seed, part), u64::from(number))
        };
        let page = article * PAGES + way;
        let (prose, ads, site) = match way {
            4 => (seed(1, page), seed(2, article * PAGES), 0),
            3 => (seed(1, article * PAGES), seed(2, page), 1),
            _ => (seed(1, article * PAGES), seed(2, page), 0),
        };
        let words = if way == 2 {
            (ARTICLE as f64 * CROPPED) as usize
        } else {
            ARTICLE
        };
        let menu =
            |part: u32| self.plain(MENU, &mut random::stream(seed(3, site), u64::from(part)));
        let mut rng = random::stream(prose, 0);
        let article_words = self.prose(ARTICLE, &mut rng);
        let mut rng = random::stream(ads, 0);
        let mut parts = vec![menu(0)];
        for paragraph in article_words[..words].chunks(PARAGRAPH) {
            parts.push(paragraph.to_vec());
            parts.push(self.plain(AD, &mut rng));
        }
        // A cropped page has as many advertisements as a whole one.
        for _ in words.div_ceil(PARAGRAPH)..ARTICLE.div_ceil(PARAGRAPH) {
            parts.push(self.plain(AD, &mut rng));
        }
        parts.push(menu(1));
        let ways = ["first", "other-ads", "cropped", "wrapped", "same-ads"];
        Page {
            name: format!("article-{article}-{}", ways[way as usize]),
            text: parts.concat().join(" "),
        }
    }

    /// Stop words and other words in turn, as they come.
    fn prose(&self, words: usize, rng: &mut impl Rng) -> Vec<&str> {
        let word = |rng: &mut _| self.plain_word(rng);
        (0..words)
            .map(|_| match rng.random::<bool>() {
                true => STOP_WORDS[rng.random_range(0..STOP_WORDS.len())],
                false => word(rng),
            })
            .collect()
    }

    /// Words without stop words.
    fn plain(&self, words: usize, rng: &mut impl Rng) -> Vec<&str> {
        (0..words).map(|_| self.plain_word(rng)).collect()
    }

    fn plain_word(&self, rng: &mut impl Rng) -> &str {
        loop {
            let word = self.text.vocabulary().word(self.text.word(rng));
            if !STOP_WORDS.contains(&word) {
                return word;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Elements, Shingle, Shingler, similarity};

    /// The mean similarity of the pairs of each group.
    fn means(shingle: Shingle) -> [f64; 4] {
        let news = News::new(20, 3).unwrap();
        let shingler = Shingler::new(shingle);
        let set = |page: Page| shingler.set(&page.text, &mut Default::default());
        let sets: Vec<Vec<u64>> = news.pages().map(set).collect();
        let mut groups = news.groups().map(|(_, pairs)| {
            let alike = |&(a, b): &(u32, u32)| similarity(&sets[a as usize], &sets[b as usize]);
            pairs.iter().map(alike).sum::<f64>() / pairs.len() as f64
        });
        std::array::from_fn(|_| groups.next().unwrap())
    }

    /// The textbook's claim: with stop-word shingles copies of an article stand out, however it is shown; with plain
    /// ones, pages with the same advertisements are as much alike.
    #[test]
    fn stop_words_tell_articles_from_advertisements() {
        let [whole, cropped, wrapped, ads] = means(Shingle::StopWords);
        assert!(
            whole > 0.8 && wrapped > 0.8 && cropped > 0.5,
            "{whole} {cropped} {wrapped}"
        );
        assert!(ads < 0.1, "{ads}");
        let [whole, cropped, wrapped, ads] = means(Shingle::words(3).unwrap());
        assert!(
            cropped < ads && wrapped < ads,
            "{whole} {cropped} {wrapped} {ads}"
        );
    }

    #[test]
    fn pages_share_what_they_should() {
        let news = News::new(2, 1).unwrap();
        let pages: Vec<Page> = news.pages().collect();
        assert_eq!(pages[7].name, "article-1-cropped");
        assert!(pages.iter().all(|page| page.text.split(' ').count() > 400));
        assert!(News::new(0, 1).is_err());
    }

    #[test]
    fn value_stability() {
        let page = News::new(1, 7).unwrap().pages().nth(1).unwrap();
        let words: Vec<&str> = page.text.split(' ').skip(28).take(6).collect();
        assert_eq!(words.join(" "), "dovi rihu until pe tope buvu");
    }
}
