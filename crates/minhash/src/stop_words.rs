/// English words that hold prose together and that advertisements do without.
pub const STOP_WORDS: [&str; 117] = [
    "a", "about", "after", "again", "all", "also", "although", "am", "among", "an", "and", "any",
    "are", "as", "at", "be", "because", "been", "before", "being", "between", "both", "but", "by",
    "can", "could", "did", "do", "does", "during", "each", "for", "from", "had", "has", "have",
    "he", "her", "here", "him", "his", "how", "i", "if", "in", "into", "is", "it", "its", "just",
    "many", "may", "me", "might", "more", "most", "much", "must", "my", "no", "nor", "not", "of",
    "on", "only", "or", "other", "our", "out", "over", "own", "same", "she", "should", "since",
    "so", "some", "such", "than", "that", "the", "their", "them", "then", "there", "these", "they",
    "this", "those", "through", "to", "too", "under", "until", "upon", "us", "very", "was", "we",
    "were", "what", "when", "where", "whether", "which", "while", "who", "whom", "whose", "why",
    "will", "with", "within", "without", "would", "you", "your",
];
