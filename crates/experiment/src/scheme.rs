use lookalike_core::{Bounds, Probability, Scheme, tune};

use crate::{Error, Measure, Meeting, Search, Settings};

/// The scheme that is said, or the family's own, or one that is chosen for a recall.
pub(crate) fn choose(
    settings: &Settings,
    measure: Measure,
    limit: f64,
    search: &impl Search,
) -> Result<Scheme, Error> {
    if let (Meeting::Votes(_), Some(way)) = (search.meeting(), settings.way()) {
        let message = format!("votes decide here, and no bands: leave {way} out");
        return Err(Error::setting(way, message));
    }
    if let Some(scheme) = settings.scheme()? {
        return Ok(scheme);
    }
    if let Some(scheme) = search.scheme().filter(|_| !settings.is_tuned()) {
        return Ok(scheme);
    }
    if search.promise(&Scheme::default(), limit).is_none() {
        let message = "this family promises nothing that bands and rows could be chosen by: say bands and rows";
        return Err(Error::setting(settings.way().unwrap_or("family"), message));
    }
    let far = match measure {
        Measure::Similarity(_) | Measure::Same(_) => 1.0 - tune::rare_below(1.0 - limit),
        Measure::Distance(_) => (2.0 * limit).max(limit + 1.0),
    };
    let nothing = Bounds::new(Probability::NEVER, Probability::CERTAIN).expect("in order");
    let plan = tune::Goal::new(limit, far)
        .and_then(|goal| goal.recall(settings.wanted_recall()))
        .and_then(|goal| goal.budget(settings.functions.unwrap_or(tune::BUDGET)))
        .and_then(|goal| {
            goal.plan_with(|scheme, distance| search.promise(scheme, distance).unwrap_or(nothing))
        });
    let plan = plan.map_err(|error| {
        let key = settings.way().unwrap_or(match measure {
            Measure::Similarity(_) | Measure::Same(_) => "threshold",
            Measure::Distance(_) => "radius",
        });
        Error::setting(key, error.to_string())
    })?;
    Ok(plan.banding.scheme())
}
