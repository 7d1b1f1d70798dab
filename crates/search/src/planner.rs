//! From a request and items to a plan.

use lookalike_core::{
    plugin::{self, Measure, Recall, Remedy, Setting, Task},
    tune,
};

use crate::{
    Bid, Dataset, Entry, Error, Plan, Planned, Registry, Request, Table,
    entry::{DistanceEntry, Proposed},
    registry::{FAMILY, unknown},
};

const RECALL: Setting = Setting("recall");

impl Registry {
    /// The cheapest way to do what is asked: every family and method over the distance proposes, and the cheapest
    /// proposal that meets the request wins; of equally cheap ones the first that joined.
    ///
    /// # Errors
    /// If the request is not understood or cannot be met; the error says why, and what would do.
    pub fn plan(&self, request: &Request, data: &Dataset) -> Result<Planned, Error> {
        self.plan_for(request, data, false)
    }

    /// [`plan`](Self::plan) for items that will be stored in a file, or not.
    pub(crate) fn plan_for(
        &self,
        request: &Request,
        data: &Dataset,
        is_stored: bool,
    ) -> Result<Planned, Error> {
        let distance = self.distance(&request.measure, data.kind())?;
        let measure = distance.measure(&request.measure).expect("found by it");
        if request.queries.is_none() && !distance.is_symmetric {
            let message = format!(
                "{} is between queries and stored items, so there are no pairs of it: give queries",
                measure.name
            );
            return Err(plugin::Error::new(message).into());
        }
        let limit = limit(request, distance, measure, data)?;
        let entries = self.entries_for(request, distance)?;
        let mut task = task(request, measure, limit)?;
        task.is_stored = is_stored;
        let mut best: Option<(&Entry, Proposed)> = None;
        let (mut bids, mut refused, mut short) = (Vec::new(), None, None);
        // The nearest of all: no promise of a family reaches that far.
        let may_answer = |entry: &&&Entry| limit.is_some() || entry.is_method;
        for entry in entries.iter().filter(may_answer) {
            let proposed = match (entry.propose)(data, &request.parameters, &task) {
                Ok(Some(proposed)) => proposed,
                Ok(None) => continue,
                // One that cannot use a parameter or a scheme does not propose; if none does, the first says why.
                Err(error) => {
                    refused.get_or_insert(error);
                    continue;
                }
            };
            if !is_enough(request, &task, proposed.recall) {
                short = short.or(proposed.recall.share());
                continue;
            }
            bids.push(Bid {
                family: entry.name,
                recall: proposed.recall,
                seconds: proposed.seconds,
            });
            if best
                .as_ref()
                .is_none_or(|(_, best)| proposed.seconds < best.seconds)
            {
                best = Some((entry, proposed));
            }
        }
        let Some((entry, proposed)) = best else {
            return Err(refused.unwrap_or_else(|| out_of_reach(request, &task, &entries, short)));
        };
        bids.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
        let defaults = entry.parameters();
        let settled = proposed.parameters.iter();
        let settled = settled.filter(|(name, value)| defaults.get(*name) != Some(value));
        Ok(Planned {
            items: data.len(),
            notes: data.notes(),
            measure_name: measure.name,
            is_similarity: measure.is_similarity,
            bids,
            settled: settled
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect(),
            plan: Plan {
                kind: data.kind().into(),
                measure: measure.flag.into(),
                threshold: request.threshold,
                limit,
                family: entry.name.into(),
                parameters: proposed.parameters,
                scheme: proposed.scheme,
                seed: request.seed,
                width: data.width(),
                recall: proposed.recall,
            },
        })
    }

    /// The families and methods over a distance that may answer a request: the named one or all, without those that do
    /// not have a parameter that was given.
    fn entries_for(
        &self,
        request: &Request,
        distance: &DistanceEntry,
    ) -> Result<Vec<&Entry>, Error> {
        let entries = self.entries.iter();
        let of_distance: Vec<&Entry> = entries
            .filter(|entry| entry.distance == distance.type_id)
            .collect();
        let chosen: Vec<&Entry> = match &request.family {
            None => of_distance.clone(),
            Some(name) => of_distance
                .iter()
                .copied()
                .filter(|entry| entry.name == *name)
                .collect(),
        };
        if let (true, Some(name)) = (chosen.is_empty(), &request.family) {
            let names: Vec<&str> = of_distance.iter().map(|entry| entry.name).collect();
            return Err(unknown("family", name, &names));
        }
        let tables: Vec<Table> = chosen.iter().map(|entry| entry.parameters()).collect();
        for name in request.parameters.keys() {
            if !tables.iter().any(|table| table.contains_key(name)) {
                let known: Vec<&str> = tables
                    .iter()
                    .flat_map(|table| table.keys().map(String::as_str))
                    .collect();
                return Err(unknown("parameter", name, &known));
            }
        }
        let has_all =
            |table: &Table| (request.parameters.keys()).all(|name| table.contains_key(name));
        let with_all = chosen.iter().zip(&tables);
        let with_all: Vec<&Entry> = with_all
            .filter(|(_, table)| has_all(table))
            .map(|(entry, _)| *entry)
            .collect();
        if with_all.is_empty() {
            let given: Vec<&str> = request.parameters.keys().map(String::as_str).collect();
            let message = format!(
                "no family has all of these parameters: {}",
                given.join(", ")
            );
            return Err(plugin::Error::new(message).into());
        }
        Ok(with_all)
    }
}

/// The largest distance of a match, if there is a threshold.
fn limit(
    request: &Request,
    distance: &DistanceEntry,
    measure: &Measure,
    data: &Dataset,
) -> Result<Option<f64>, Error> {
    let Some(threshold) = request.threshold else {
        return Ok(None);
    };
    let limit = measure.limit(threshold)?;
    let largest = (distance.largest)(data.width()).filter(|_| !data.is_empty());
    if let Some(largest) = largest.filter(|&largest| limit >= largest) {
        let (flag, largest) = (measure.flag, measure.shown(largest));
        let message = format!(
            "{flag} is {threshold}, but must be below {largest}, the most that two of these items can have: everything would match"
        );
        return Err(plugin::Error::new(message).into());
    }
    Ok(Some(limit))
}

/// The request in distances.
fn task(request: &Request, measure: &Measure, limit: Option<f64>) -> Result<Task, Error> {
    let recall = request.recall.unwrap_or(tune::RECALL);
    if !(recall > 0.0 && recall <= 1.0) {
        let message = format!("recall is {recall}, but must be above 0 and up to 1");
        return Err(plugin::Error::new(message).into());
    }
    let far = request
        .threshold
        .map_or(f64::INFINITY, |it| measure.far(it));
    let mut task = Task::new(limit.unwrap_or(f64::INFINITY), far);
    // Without a threshold a recall is that of the nearest, if their number is known.
    task.recall = match (limit, request.k) {
        (None, None) => 1.0,
        _ => recall,
    };
    task.k = request.k;
    task.seed = request.seed;
    task.scheme = request.scheme.clone();
    task.functions = request.functions;
    task.is_named = request.family.is_some();
    task.queries = request.queries;
    task.longest_query = request.longest_query;
    task.symmetric = request.symmetric;
    task.memory = request.memory;
    Ok(task)
}

/// Whether a proposal meets the request.
fn is_enough(request: &Request, task: &Task, recall: Recall) -> bool {
    if task.is_exact() {
        return recall.reaches(1.0);
    }
    match recall {
        // A given scheme has the recall that it has, and so has a family whose recall nobody knows.
        _ if request.scheme.is_some() && request.recall.is_none() => true,
        Recall::Unknown => request.recall.is_none(),
        known => known.reaches(task.recall),
    }
}

/// Why no proposal was enough. `short` is the first recall that was proposed and is not.
fn out_of_reach(request: &Request, task: &Task, entries: &[&Entry], short: Option<f64>) -> Error {
    let error = match &request.family {
        Some(name) if request.threshold.is_none() && entries.iter().all(|it| !it.is_method) => {
            plugin::Error::new(format!(
                "{name} cannot find the nearest of all items: it needs a threshold"
            ))
            .remedy(Remedy::new("give a threshold, or leave out", FAMILY))
        }
        Some(name) if task.is_exact() => plugin::Error::new(format!(
            "{name} cannot promise to find everything within the threshold"
        ))
        .remedy(Remedy::new("leave out", FAMILY))
        .remedy(Remedy::new("ask for a share with", RECALL)),
        Some(name) if request.scheme.is_some() => plugin::Error::new(format!(
            "{name} does not combine functions, so it takes no bands, rows or other scheme"
        )),
        Some(name) => {
            let by_default = if request.recall.is_none() {
                ", the default"
            } else {
                ""
            };
            let wanted = format!("{}{by_default}", task.recall);
            let message = match short {
                Some(recall) => format!(
                    "{name} with these parameters finds {recall:.4} of the pairs at the threshold, less than {wanted}"
                ),
                None => format!(
                    "what {name} finds at this threshold is not known, but its recall must be {wanted}"
                ),
            };
            plugin::Error::new(message)
                .remedy(Remedy::new("accept less with", RECALL))
                .remedy(Remedy::new("leave out", FAMILY))
        }
        None => {
            let names: Vec<&str> = entries.iter().map(|entry| entry.name).collect();
            plugin::Error::new(format!(
                "no family meets the request: {} were asked",
                names.join(", ")
            ))
            .remedy(Remedy::new("ask for less", RECALL))
        }
    };
    error.into()
}
