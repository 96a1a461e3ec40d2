namespace EventHubThroughput.Load.Article;

/// <summary>A column of the article's table (2019): one partition, one run of 15 minutes each, scrapes every 10 s.</summary>
/// <param name="Strategy">The name of the strategy in this project.</param>
/// <param name="Rate">Events a second, the average of <c>irate</c>.</param>
/// <param name="Total">Milliseconds per event: the average of the gauge of a batch's time, divided by its events.</param>
/// <param name="Message">The average of the gauge of a send, in milliseconds.</param>
/// <param name="Blob">The average of the gauge of an upload, in milliseconds.</param>
/// <param name="Checkpoint">The average of the gauge of a checkpoint, divided by its events, in milliseconds.</param>
internal sealed record PublishedRun(string Strategy, double Rate, double Total, double Message, double Blob, double Checkpoint)
{
    public static IReadOnlyList<PublishedRun> All { get; } =
    [
        new("baseline", 31.95, 30.69, 18.52, 9.35, 2.47),
        new("inloop", 43.93, 21.14, 17.87, 9.31, 2.47),
        new("outloop", 115.89, 9, 45, 20, 2),
        new("combined", 120, 8, 39, 13, 2),
    ];
}
