using System.Runtime.CompilerServices;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Events;
using EventHubThroughput.Processing.Sinks;
using EventHubThroughput.Pump.Retrying;
using EventHubThroughput.Pump.Writing;

namespace EventHubThroughput.Processing.Redriving;

/// <summary>The container of dead letters for a redrive. Every change requires the version that was read before.</summary>
/// <param name="container">The container.</param>
/// <param name="hub">The event hub.</param>
/// <param name="rule">How requests are repeated.</param>
/// <param name="timeProvider">The clock.</param>
internal sealed class DeadLetterStore(IBlobContainer container, string hub, RetryRule rule, TimeProvider timeProvider)
{
    // Concurrent changes of a record while it is settled, for example by a pump whose other sink gives the event up.
    private const int MostChanges = 8;

    private readonly RepeatedRequest requests = new(rule, timeProvider);

    /// <summary>The identifier in the claims of this process.</summary>
    public string Claimant { get; } = Guid.NewGuid().ToString("n");

    /// <summary>Lists all blobs of the container page by page, in the order of partition (as text) and sequence number.</summary>
    public async IAsyncEnumerable<DeadLetter> ListAsync([EnumeratorCancellation] CancellationToken cancellationToken)
    {
        string? last = null;
        var tries = new WriteTries(timeProvider.GetTimestamp());
        while (true)
        {
            TimeSpan pause;
            await using var blobs = container.ListAsync(prefix: null, cancellationToken).GetAsyncEnumerator(cancellationToken);
            while (true)
            {
                try
                {
                    if (!await blobs.MoveNextAsync())
                    {
                        yield break;
                    }
                }
                catch (MessagingException failure)
                {
                    if (RetryRule.IsFatal(failure.Kind) || tries.After(failure, rule, timeProvider) is not { } wait)
                    {
                        throw;
                    }

                    pause = wait;
                    break;
                }

                // A list that starts again begins with blobs that were already returned.
                if (last is null || string.CompareOrdinal(blobs.Current.Name, last) > 0)
                {
                    last = blobs.Current.Name;
                    tries = new WriteTries(timeProvider.GetTimestamp());
                    yield return DeadLetter.Read(blobs.Current, hub);
                }
            }

            await Task.Delay(pause, timeProvider, cancellationToken);
        }
    }

    /// <summary>The present dead letter. Null when it was removed.</summary>
    public async Task<DeadLetter?> FindAsync(string name, CancellationToken cancellationToken) =>
        await requests.RunAsync(token => container.GetPropertiesAsync(name, token), cancellationToken) is { } blob ? DeadLetter.Read(blob, hub) : null;

    /// <summary>Creates the event of a dead letter.</summary>
    /// <exception cref="FormatException">The stored data is damaged.</exception>
    public async Task<StoredEvent> ReadAsync(DeadLetter letter, CancellationToken cancellationToken)
    {
        var (beside, version) = (ReadOnlyMemory<byte>.Empty, (string?)null);
        if (letter.HasPropertiesBeside)
        {
            var name = letter.Name + DeadLetterFields.PropertiesSuffix;
            var blob =
                await requests.RunAsync(token => container.GetPropertiesAsync(name, token), cancellationToken)
                ?? throw new FormatException("its properties blob is missing");
            beside = await requests.RunAsync(token => container.DownloadAsync(name, token), cancellationToken);
            version =
                EventBlob.ComputeHash(beside) == blob.Metadata.GetValueOrDefault(EventBlob.HashName)
                    ? blob.ETag
                    : throw new FormatException("its properties blob is damaged");
        }

        var body = await requests.RunAsync(token => container.DownloadAsync(letter.Name, token), cancellationToken);
        return new StoredEvent(letter.ToEvent(body, beside), version);
    }

    /// <summary>Claims this version. Returns the claimed one, or null when it was changed or removed in the meantime.</summary>
    public async Task<DeadLetter?> TryClaimAsync(DeadLetter letter, TimeSpan limit, CancellationToken cancellationToken)
    {
        try
        {
            return await ChangeAsync(letter, DeadLetterFields.WithClaim(letter.Fields, Claimant, limit), cancellationToken);
        }
        catch (MessagingException failure) when (IsOvertaken(failure))
        {
            // Otherwise the answer to our own claim was lost.
            return await FindAsync(letter.Name, cancellationToken) is { } now && now.Claim == Claimant ? now : null;
        }
    }

    /// <summary>Removes the sinks that have the event now from the record. With the last of them the record itself is removed.</summary>
    /// <param name="letter">The claimed dead letter.</param>
    /// <param name="written">The sinks that have it.</param>
    /// <param name="refusal">Why the others do not have it, and after how many tries. Null keeps the reason.</param>
    /// <param name="keepsClaim">Whether the claim stays, because a write may still be under way.</param>
    /// <param name="besides">The version of the properties blob that was read.</param>
    /// <param name="cancellationToken">Cancels the requests.</param>
    /// <returns>Whether the whole record was removed.</returns>
    public async Task<bool> SettleAsync(
        DeadLetter letter,
        IReadOnlyCollection<string> written,
        (string Reason, int Attempts)? refusal,
        bool keepsClaim,
        string? besides,
        CancellationToken cancellationToken
    )
    {
        var now = letter;
        for (var change = 1; now is { Kind: DeadLetterKind.Complete }; change++)
        {
            var left = now.Sinks.Except(written, StringComparer.Ordinal).ToList();
            try
            {
                if (left.Count == 0)
                {
                    await RemoveAsync(now, besides, cancellationToken);
                    return true;
                }

                await ChangeAsync(now, GetFields(now, left, refusal, keepsClaim), cancellationToken);
                return false;
            }
            catch (MessagingException failure) when (IsOvertaken(failure) && change < MostChanges)
            {
                now = await FindAsync(letter.Name, cancellationToken);
            }
        }

        // Another process has removed it, which happens only after every sink has the event.
        return now is null;
    }

    private static bool IsOvertaken(MessagingException failure) => failure.Kind is FailureKind.Conflict or FailureKind.NotFound;

    private Dictionary<string, string> GetFields(DeadLetter letter, List<string> left, (string Reason, int Attempts)? refusal, bool keepsClaim)
    {
        var fields = DeadLetterFields.WithSinks(letter.Fields, left);
        if (refusal is var (reason, attempts))
        {
            DeadLetterFields.SetReason(fields, reason, DeadLetterFields.GetAttempts(letter.Fields) + attempts);
        }

        return letter.Claim is { } claim && (keepsClaim || claim != Claimant) ? DeadLetterFields.WithClaim(fields, claim, letter.ClaimLimit) : fields;
    }

    // In this order: a record never lacks its properties while it names a sink, and nothing is left afterwards.
    private async Task RemoveAsync(DeadLetter letter, string? besides, CancellationToken cancellationToken)
    {
        if (letter.HasPropertiesBeside)
        {
            letter = letter.Sinks.Count == 0 ? letter : await ChangeAsync(letter, DeadLetterFields.WithSinks(letter.Fields, []), cancellationToken);
            var name = letter.Name + DeadLetterFields.PropertiesSuffix;
            besides ??= (await requests.RunAsync(token => container.GetPropertiesAsync(name, token), cancellationToken))?.ETag;
            if (besides is not null)
            {
                await DeleteAsync(name, besides, cancellationToken);
            }
        }

        await DeleteAsync(letter.Name, letter.Blob.ETag, cancellationToken);
    }

    private Task<bool> DeleteAsync(string name, string version, CancellationToken cancellationToken) =>
        requests.RunAsync(token => container.DeleteAsync(name, BlobCondition.Match(version), token), cancellationToken);

    private async Task<DeadLetter> ChangeAsync(DeadLetter letter, Dictionary<string, string> fields, CancellationToken cancellationToken)
    {
        var changed = await requests.RunAsync(
            token => container.SetMetadataAsync(letter.Name, fields, BlobCondition.Match(letter.Blob.ETag), token),
            cancellationToken
        );
        return DeadLetter.Read(letter.Blob with { ETag = changed.ETag, LastModified = changed.LastModified, Metadata = fields }, hub);
    }
}

/// <summary>The event of a dead letter, and the version of the blob with its properties, if it has one.</summary>
internal sealed record StoredEvent(ReceivedEvent Event, string? PropertiesVersion);
