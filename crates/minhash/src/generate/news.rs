mod adverts;
mod prose;

use lookalike_core::random::{self, Stream};

use self::adverts::{BRANDS, CALLS, MENU, OFFERS, PRODUCTS, QUALITIES};
use self::prose::{DEEDS, ENDS, GROUPS as CLUBS, OPENINGS, PEOPLE, SUBJECTS, THINGS, TOWNS};
use crate::Error;

/// Pages of news sites: articles in English prose, with advertisements and menus around them that hold no prose.
///
/// Each article comes five times, as groups of pairs: on its own page; with other advertisements; cropped to its
/// first part, and wrapped in another site's frame, both with other advertisements; and its advertisements once more
/// with another article. About half of the words of an article are [stop words](crate::STOP_WORDS), none of an
/// advertisement's: that is what [stop-word shingles](crate::Shingle::StopWords) go by. Sentences are put together from
/// phrases, so pages can be read, and different articles have some phrases in common, as real ones do.
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
}

/// A page of [`News`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// What it is: the number of its article and the way it is shown.
    pub name: String,
    /// The text.
    pub text: String,
}

/// Sentences of an article.
const SENTENCES: u32 = 10;
/// Sentences of it between two advertisements.
const PARAGRAPH: usize = 2;
/// Sentences of a cropped copy.
const CROPPED: usize = 6;
/// Offers in an advertisement.
const AD: usize = 6;
/// Words of a menu, before and after the article.
const MENU_WORDS: u32 = 30;
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
        Ok(Self { articles, seed })
    }

    /// All pages, five per article.
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
        let (story, ads, site) = match way {
            4 => (seed(1, page), seed(2, article * PAGES), 0),
            3 => (seed(1, article * PAGES), seed(2, page), 1),
            _ => (seed(1, article * PAGES), seed(2, page), 0),
        };
        let menu = |part: u64| menu(&mut random::stream(seed(3, site), part));
        let mut sentences = sentences(&mut random::stream(story, 0));
        if way == 2 {
            sentences.truncate(CROPPED);
        }
        let mut rng = random::stream(ads, 0);
        let mut parts = vec![menu(0)];
        for paragraph in sentences.chunks(PARAGRAPH) {
            parts.push(paragraph.join(" "));
            parts.push(advertisement(&mut rng));
        }
        // A cropped page has as many advertisements as a whole one.
        let paragraphs = (SENTENCES as usize).div_ceil(PARAGRAPH);
        for _ in sentences.len().div_ceil(PARAGRAPH)..paragraphs {
            parts.push(advertisement(&mut rng));
        }
        parts.push(menu(1));
        let ways = ["first", "other-ads", "cropped", "wrapped", "same-ads"];
        Page {
            name: format!("article-{article}-{}", ways[way as usize]),
            text: parts.join("\n"),
        }
    }
}

/// A story: sentences about one town, person, thing and group.
fn sentences(rng: &mut Stream) -> Vec<String> {
    let names = [
        ("{town}", one_of(&TOWNS, rng)),
        ("{person}", one_of(&PEOPLE, rng)),
        ("{thing}", one_of(&THINGS, rng)),
        ("{group}", one_of(&CLUBS, rng)),
    ];
    // Each phrase comes once in a story.
    let [openings, subjects, deeds, ends] = [&OPENINGS[..], &SUBJECTS, &DEEDS, &ENDS]
        .map(|list| random::shuffled(list.len() as u32, SENTENCES, rng));
    let sentence = |place: usize| {
        let of = |list: &[&str], chosen: &[u32]| list[chosen[place] as usize].to_owned();
        let [opening, subject, deed, end] = [
            of(&OPENINGS, &openings),
            of(&SUBJECTS, &subjects),
            of(&DEEDS, &deeds),
            of(&ENDS, &ends),
        ];
        let mut sentence = format!("{opening}, {subject} {deed}, {end}.");
        for (slot, name) in names {
            sentence = sentence.replace(slot, name);
        }
        capitalized(&sentence)
    };
    (0..SENTENCES as usize).map(sentence).collect()
}

/// Offers of products, without a stop word.
fn advertisement(rng: &mut Stream) -> String {
    let mut offer = || {
        let [brand, product] = [one_of(&BRANDS, rng), one_of(&PRODUCTS, rng)];
        let [first, second] =
            [(); 2].map(|()| format!("{} {}", one_of(&QUALITIES, rng), one_of(&OFFERS, rng)));
        let call = one_of(&CALLS, rng);
        format!(
            "{brand} {product}: {first}, {second}. {}!",
            capitalized(call)
        )
    };
    let offers: Vec<String> = (0..AD).map(|_| offer()).collect();
    offers.join(" ")
}

/// Links to other parts of a site.
fn menu(rng: &mut Stream) -> String {
    let words = random::shuffled(MENU.len() as u32, MENU_WORDS, rng);
    let words: Vec<&str> = words.iter().map(|&word| MENU[word as usize]).collect();
    words.join(" | ")
}

fn one_of(list: &[&'static str], rng: &mut Stream) -> &'static str {
    list[random::below(list.len() as u32, rng) as usize]
}

fn capitalized(text: &str) -> String {
    let (first, rest) = text.split_at(1);
    first.to_uppercase() + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Elements, STOP_WORDS, Shingle, Shingler, Tokens, similarity};

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
        assert!(ads < 0.15, "{ads}");
        let [whole, cropped, wrapped, ads] = means(Shingle::words(3).unwrap());
        assert!(
            cropped < ads && wrapped < ads,
            "{whole} {cropped} {wrapped} {ads}"
        );
    }

    fn stop_words(text: &str) -> (usize, usize) {
        let tokens = Tokens::Words.split(text);
        let stop = tokens.iter().filter(|it| STOP_WORDS.contains(&it.as_str()));
        (stop.count(), tokens.len())
    }

    /// What the docs say of stop words.
    #[test]
    fn prose_has_stop_words_and_advertisements_have_none() {
        let mut rng = random::stream(5, 0);
        let (stop, all) = stop_words(&sentences(&mut rng).join(" "));
        assert!(
            (0.4..0.7).contains(&(stop as f64 / all as f64)),
            "{stop} of {all}"
        );
        for list in [&BRANDS[..], &PRODUCTS, &QUALITIES, &OFFERS, &CALLS, &MENU] {
            for phrase in list {
                assert_eq!(stop_words(phrase).0, 0, "{phrase}");
            }
        }
    }

    #[test]
    fn no_phrase_is_there_twice() {
        let lists = [
            &OPENINGS[..],
            &SUBJECTS,
            &DEEDS,
            &ENDS,
            &TOWNS,
            &PEOPLE,
            &THINGS,
            &CLUBS,
            &BRANDS,
            &PRODUCTS,
            &QUALITIES,
            &OFFERS,
            &CALLS,
            &MENU,
        ];
        for list in lists {
            let mut sorted = list.to_vec();
            sorted.sort_unstable();
            sorted.dedup();
            assert_eq!(sorted.len(), list.len(), "{list:?}");
        }
    }

    #[test]
    fn pages_share_what_they_should() {
        let news = News::new(2, 1).unwrap();
        let pages: Vec<Page> = news.pages().collect();
        assert_eq!(pages[7].name, "article-1-cropped");
        let parts = |page: usize| -> Vec<&str> { pages[page].text.lines().collect() };
        // A menu, five paragraphs with an advertisement after each, and a menu.
        let (first, cropped, wrapped, ads) = (parts(5), parts(7), parts(8), parts(9));
        assert_eq!(
            [&first, &cropped, &wrapped].map(|page| page.len()),
            [12, 10, 12]
        );
        assert_eq!([first[1], first[5]], [cropped[1], cropped[5]]);
        assert_eq!((first[0], first[11]), (cropped[0], cropped[9]));
        assert!(first[0] != wrapped[0] && first[9] == wrapped[9]);
        assert!(first[2] == ads[2] && first[1] != ads[1] && first[2] != wrapped[2]);
        assert!(News::new(0, 1).is_err());
    }

    #[test]
    fn value_stability() {
        let page = News::new(1, 7).unwrap().pages().nth(1).unwrap();
        let lines: Vec<&str> = page.text.lines().collect();
        assert!(
            lines[1].starts_with(
                "In a letter to the council, the mayor of Westbrook planted a tree for each of the children"
            ),
            "{}",
            lines[1]
        );
        assert!(
            lines[2]
                .starts_with("Dormado kitchens: official packages, instant samples. Ask experts!"),
            "{}",
            lines[2]
        );
        assert!(
            lines[0].starts_with("Games | Golf | Jobs | Advertising | Live"),
            "{}",
            lines[0]
        );
    }
}
