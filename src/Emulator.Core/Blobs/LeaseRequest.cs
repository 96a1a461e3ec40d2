using System.Globalization;
using EventHubThroughput.Emulator.BlobFailures;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>The actions on a lease.</summary>
internal enum LeaseAction
{
    Acquire,
    Renew,
    Change,
    Release,
    Break,
}

/// <summary>A change of a lease.</summary>
/// <param name="Action">The action.</param>
/// <param name="LeaseId">The lease that the client holds. Null for acquire and break.</param>
/// <param name="ProposedId">The requested identifier. Null: the service chooses.</param>
/// <param name="Duration">The duration of an acquired lease. Null: for ever.</param>
/// <param name="BreakPeriod">The longest time until a break takes effect. Null: the rest of the lease.</param>
internal sealed record LeaseRequest(LeaseAction Action, string? LeaseId, string? ProposedId, TimeSpan? Duration, TimeSpan? BreakPeriod)
{
    private const int Infinite = -1;

    public static BlobFailure? TryRead(BlobRequest request, out LeaseRequest? lease)
    {
        lease = null;
        LeaseAction? action = request.Header("x-ms-lease-action")?.ToLowerInvariant() switch
        {
            "acquire" => LeaseAction.Acquire,
            "renew" => LeaseAction.Renew,
            "change" => LeaseAction.Change,
            "release" => LeaseAction.Release,
            "break" => LeaseAction.Break,
            _ => null,
        };
        if (action is not { } known)
        {
            return request.Header("x-ms-lease-action") is null
                ? BlobFailure.MissingHeader("x-ms-lease-action")
                : BlobFailure.InvalidHeader("x-ms-lease-action");
        }

        var failure =
            TryIdentifier(request, "x-ms-lease-id", known is LeaseAction.Renew or LeaseAction.Change or LeaseAction.Release, out var id)
            ?? TryIdentifier(request, "x-ms-proposed-lease-id", known is LeaseAction.Change, out _);
        var proposed = request.Header("x-ms-proposed-lease-id");
        TimeSpan? duration = null;
        TimeSpan? period = null;
        failure ??= known switch
        {
            LeaseAction.Acquire => TrySeconds(request, "x-ms-lease-duration", required: true, 15, 60, out duration),
            LeaseAction.Break => TrySeconds(request, "x-ms-lease-break-period", required: false, 0, 60, out period),
            _ => null,
        };
        lease = new LeaseRequest(known, id, proposed, duration, period);
        return failure;
    }

    private static BlobFailure? TryIdentifier(BlobRequest request, string header, bool required, out string? id)
    {
        id = request.Header(header);
        if (id is null)
        {
            return required ? BlobFailure.MissingHeader(header) : null;
        }

        return Guid.TryParse(id, out _) ? null : BlobFailure.InvalidHeader(header);
    }

    private static BlobFailure? TrySeconds(BlobRequest request, string header, bool required, int least, int most, out TimeSpan? seconds)
    {
        seconds = null;
        if (request.Header(header) is not { } text)
        {
            return required ? BlobFailure.MissingHeader(header) : null;
        }

        if (!int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var number))
        {
            return BlobFailure.InvalidHeader(header);
        }

        if (number == Infinite && required)
        {
            return null;
        }

        seconds = TimeSpan.FromSeconds(number);
        return number >= least && number <= most ? null : BlobFailure.InvalidHeader(header);
    }
}
