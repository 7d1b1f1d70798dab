use lookalike_core::{
    Pair,
    plugin::{Error, Generated, Generator, Group},
};
use serde::{Deserialize, Serialize};

use crate::{
    generate::{Corpus, News, Vocabulary, ZipfText},
    plugin::{Text, Texts},
};

/// Texts of words that follow Zipf's law, some of them near-duplicates of an earlier text. See [`Corpus`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CorpusTexts {
    /// The number of texts.
    pub documents: u64,
    /// Words per text.
    pub words: usize,
    /// Words of a shingle, by which the similarity of a copy is set.
    pub width: usize,
    /// The share of texts that are copies.
    pub copies: f64,
    /// The least and the greatest similarity of a copy to its original.
    pub similarities: (f64, f64),
    /// The number of different words.
    pub vocabulary: u32,
    /// The exponent of Zipf's law.
    pub exponent: f64,
    /// What the texts are drawn from.
    pub seed: u64,
}

impl Default for CorpusTexts {
    fn default() -> Self {
        Self {
            documents: 1000,
            words: 200,
            width: 5,
            copies: 0.2,
            similarities: (0.3, 1.0),
            vocabulary: 50_000,
            exponent: 1.0,
            seed: 0,
        }
    }
}

impl Generator for CorpusTexts {
    const NAME: &'static str = "corpus";
    const SUMMARY: &'static str = "words by Zipf's law, with planted near-duplicates";
    type Kind = Text;

    fn generate(&self) -> Result<Generated<Texts>, Error> {
        Generated::<Texts>::check_size(self.documents, self.words as u64)?;
        let vocabulary = Vocabulary::new(self.vocabulary, self.seed)?;
        let text = ZipfText::new(vocabulary, self.exponent)?;
        let (least, most) = self.similarities;
        let corpus = Corpus::new(text, self.seed)
            .words(self.words, self.width)?
            .copies(self.copies)?
            .similarities(least, most)?;
        let (mut texts, mut pairs) = (Texts::default(), Vec::new());
        for document in corpus.documents(self.documents) {
            let pair = |planted: crate::generate::Planted| {
                Pair::new(planted.original as u32, planted.copy as u32)
            };
            pairs.extend(document.planted.and_then(pair));
            texts.push(&document.text);
        }
        let name = "copies".into();
        Ok(Generated {
            groups: vec![Group { name, pairs }],
            ..Generated::new(texts)
        })
    }
}

/// Pages of news sites: articles between menus and advertisements. See [`News`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NewsTexts {
    /// The number of articles, each of which is on several pages.
    pub articles: u32,
    /// What the pages are drawn from.
    pub seed: u64,
}

impl Default for NewsTexts {
    fn default() -> Self {
        Self {
            articles: 40,
            seed: 0,
        }
    }
}

impl Generator for NewsTexts {
    const NAME: &'static str = "news";
    const SUMMARY: &'static str = "pages of news sites that share articles, menus or nothing";
    type Kind = Text;

    fn generate(&self) -> Result<Generated<Texts>, Error> {
        // About four pages per article, of a few hundred words each.
        Generated::<Texts>::check_size(4 * u64::from(self.articles), 300)?;
        let news = News::new(self.articles, self.seed)?;
        let mut made = Generated::new(Texts::default());
        for page in news.pages() {
            made.items.push(&page.text);
            made.names.push(page.name);
        }
        let groups = news.groups().map(|(name, pairs)| Group {
            name: name.into(),
            pairs: pairs.iter().filter_map(|&(a, b)| Pair::new(a, b)).collect(),
        });
        made.groups = groups.collect();
        Ok(made)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_core::{Items, Metric, plugin::Distance};

    #[test]
    fn copies_are_as_similar_as_they_should_be() {
        let corpus = CorpusTexts {
            documents: 60,
            words: 80,
            copies: 0.5,
            similarities: (0.6, 0.9),
            seed: 3,
            ..CorpusTexts::default()
        };
        let made = corpus.generate().unwrap();
        assert_eq!(made.items.count(), 60);
        assert_eq!((made.names.len(), made.labels.len()), (0, 0));
        let [copies] = &made.groups[..] else {
            panic!("{:?}", made.groups)
        };
        assert_eq!(copies.name, "copies");
        assert!((15..45).contains(&copies.pairs.len()));
        let distance = crate::plugin::TextJaccard {
            shingle: crate::Shingle::words(5).unwrap(),
            ..Default::default()
        };
        let metric = distance.metric().unwrap();
        for pair in &copies.pairs {
            let [a, b] =
                [pair.a(), pair.b()].map(|id| metric.prepare(made.items.item(id as usize)));
            let similarity = 1.0 - metric.distance(&a, &b);
            assert!((0.5..=1.0).contains(&similarity), "{similarity}");
        }
    }

    #[test]
    fn pages_have_names_and_groups() {
        let news = NewsTexts {
            articles: 3,
            seed: 1,
        };
        let made = news.generate().unwrap();
        assert_eq!(made.names.len(), made.items.count());
        assert!(made.groups.iter().all(|group| group.pairs.len() == 3));
        assert_eq!(news.generate().unwrap().groups, made.groups);
    }

    #[test]
    fn value_stability() {
        let corpus = CorpusTexts {
            documents: 3,
            words: 6,
            copies: 0.9,
            ..CorpusTexts::default()
        };
        let made = corpus.generate().unwrap();
        assert_eq!(made.items.item(0), "mesugu mesa zame te keli rogi");
        assert_eq!(
            made.groups[0].pairs,
            [Pair::ordered(0, 1), Pair::ordered(0, 2)]
        );
        let news = NewsTexts::default().generate().unwrap();
        assert_eq!(news.items.count(), 200);
        let menu = "Popular | Archive | Film | Video | Opinion";
        assert!(
            news.items.item(0).starts_with(menu),
            "{}",
            news.items.item(0)
        );
        assert_eq!(news.names[6], "article-1-other-ads");
        let names: Vec<&str> = news.groups.iter().map(|group| &*group.name).collect();
        assert_eq!(
            names,
            [
                "same article, other advertisements",
                "cropped copy, other advertisements",
                "wrapped copy, other advertisements",
                "same advertisements, other article",
            ]
        );
        assert_eq!(news.groups[1].pairs[1], Pair::ordered(5, 7));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let wrong = |corpus: CorpusTexts| {
            let error = corpus.generate().unwrap_err();
            error.parameter().map(str::to_owned)
        };
        let default = CorpusTexts::default;
        let copies = 1.0;
        assert_eq!(
            wrong(CorpusTexts {
                copies,
                ..default()
            })
            .unwrap(),
            "copies"
        );
        let vocabulary = 1;
        assert_eq!(
            wrong(CorpusTexts {
                vocabulary,
                ..default()
            })
            .unwrap(),
            "vocabulary"
        );
        let similarities = (0.9, 0.3);
        assert_eq!(
            wrong(CorpusTexts {
                similarities,
                ..default()
            })
            .unwrap(),
            "similarities"
        );
        for documents in [0, 4_000_000_000] {
            assert_eq!(
                wrong(CorpusTexts {
                    documents,
                    ..default()
                }),
                None
            );
        }
        for articles in [0, 800_000_000] {
            assert!(NewsTexts { articles, seed: 0 }.generate().is_err());
        }
    }
}
